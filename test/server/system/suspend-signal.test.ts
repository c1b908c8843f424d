import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../support/suspendable-process.mjs', import.meta.url));
const QUIET = '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON';
/** How a process is, is told by Linux only. */
const isLinux = process.platform === 'linux';

interface Suspendable {
  readonly said: readonly string[];
  readonly signal: (...signals: NodeJS.Signals[]) => void;
  readonly write: (line: string) => void;
  readonly state: () => string;
}

/**
 * In a process group of its own. In one with a shell beside it the signal of Ctrl-Z suspends by default; in
 * one that leads its session, as a pane of tmux, it has no effect.
 */
async function suspendable({ hasShell }: { readonly hasShell: boolean }): Promise<Suspendable> {
  const command = [process.execPath, QUIET, SCRIPT];
  const script = hasShell ? 'set -m; "$@" <&3 & echo $!; read <&4' : 'echo $$; exec "$@" <&3';
  const child = spawn('bash', ['-c', script, 'bash', ...command], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  if (child.stdout === null) throw new Error('A pipe was asked for.');
  const lines = createInterface(child.stdout);
  const [pid] = await once(lines, 'line');
  onTestFinished(() => {
    process.kill(Number(pid), 'SIGKILL');
    child.kill('SIGKILL');
  });
  lines.on('line', (line) => said.push(line));
  await expect.poll(() => said).toContain('ready');
  const input = child.stdio[3];
  return {
    said,
    signal: (...signals) => {
      for (const signal of signals) process.kill(Number(pid), signal);
    },
    write: (line) => {
      if (input !== null && input !== undefined && 'write' in input) input.write(`${line}\n`);
    },
    state: () => /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? '',
  };
}

test.runIf(isLinux)('Ctrl-Z suspends a process after it has handed over, each time', async () => {
  const { said, signal, state, write } = await suspendable({ hasShell: true });
  for (const round of [1, 2]) {
    signal('SIGTSTP');
    await expect.poll(() => state()).toBe('T');
    expect(said.filter((line) => line === 'hands over')).toHaveLength(round);
    signal('SIGCONT');
    write(`round ${round}`);
    await expect.poll(() => said).toContain(`round ${round}`);
  }
});

test.runIf(isLinux)('a process that is continued before it was suspended goes on', async () => {
  const { said, signal, write } = await suspendable({ hasShell: true });
  signal('SIGTSTP');
  await expect.poll(() => said).toContain('hands over');
  signal('SIGCONT');
  write('goes on');
  await expect.poll(() => said).toContain('goes on');
  signal('SIGTSTP');
  await expect.poll(() => said.filter((line) => line === 'hands over')).toHaveLength(2);
});

test.runIf(isLinux)('two signals suspend a process once', async () => {
  const { said, signal, state, write } = await suspendable({ hasShell: true });
  signal('SIGTSTP');
  await expect.poll(() => said).toContain('hands over');
  signal('SIGTSTP');
  await expect.poll(() => state()).toBe('T');
  signal('SIGCONT');
  write('goes on');
  await expect.poll(() => said).toContain('goes on');
  expect(said.filter((line) => line === 'hands over')).toHaveLength(1);
});

test.runIf(isLinux)('a process that no shell could continue is not suspended', async () => {
  const { said, signal, write } = await suspendable({ hasShell: false });
  signal('SIGTSTP');
  await expect.poll(() => said).toContain('hands over');
  write('goes on');
  await expect.poll(() => said).toContain('goes on');
});
