import { COMMANDS } from './commands.ts';
import { runAsProcess } from './run-as-process.ts';

runAsProcess(COMMANDS);
