import { spawn } from 'node:child_process';
import { walkTasks } from './walk-tasks.ts';

walkTasks(process.argv[2]!, (command, onEnd) => {
  spawn('sh', ['-c', command], { stdio: 'ignore' }).once('exit', onEnd);
});
