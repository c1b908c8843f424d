import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { AgentEnds, agentProcess, hasEnded } from '../../../server/system/starter.ts';
import { SystemAlarm } from '../../../server/system/alarm.ts';

const isLinux = process.platform === 'linux';

function sleeper(input: 'ignore' | 'pipe' = 'ignore'): ChildProcess {
  const child = spawn('sleep', ['60'], { stdio: [input, 'ignore', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

test.runIf(isLinux)(
  'a process has ended when it is gone, and also before its parent has noticed',
  async () => {
    // The shell does not wait for what it has started, as "exec" replaced it.
    const shell = spawn('/bin/sh', ['-c', 'sleep 60 </dev/null & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(() => void shell.kill('SIGKILL'));
    const [said]: unknown[] = await once(shell.stdout, 'data');
    const orphaned = agentProcess(Number(said))!;
    expect(hasEnded(orphaned)).toBe(false);
    const { promise, resolve } = Promise.withResolvers<void>();
    using ends = new AgentEnds(new SystemAlarm());
    ends.watch(orphaned, 10_000, resolve);
    process.kill(orphaned.pid, 'SIGKILL');
    await promise;
    expect(hasEnded(orphaned)).toBe(true);
  },
);

test.runIf(isLinux)(
  'what has its number later, or is of another machine, is another process',
  () => {
    const known = agentProcess(sleeper().pid!)!;
    expect(hasEnded({ ...known, startTime: '1' })).toBe(true);
    // Of another start of the machine, or another container, nothing can be said.
    expect(hasEnded({ ...known, bootId: 'elsewhere', startTime: '1' })).toBe(false);
    expect(hasEnded({ ...known, pid: 2 ** 30 })).toBe(true);
  },
);

test.runIf(isLinux)('a program that passes on its input is no agent', () => {
  expect(agentProcess(sleeper('pipe').pid!)).toBeUndefined();
  expect(agentProcess(1)).toBeUndefined();
});
