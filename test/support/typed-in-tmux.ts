import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { CLI } from './command.ts';

let last = 0;

/** A server of tmux that ends with its test. */
export function tmuxServer(name: string): (...args: readonly string[]) => string {
  const tmux = (...args: readonly string[]): string =>
    execFileSync('tmux', ['-L', name, '-f', '/dev/null', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  onTestFinished(() => {
    try {
      tmux('kill-server');
    } catch {
      // It has ended with its last session.
    }
    // Its socket stays, whoever ends it.
    rmSync(path.join('/tmp', `tmux-${process.getuid?.()}`, name), { force: true });
  });
  return tmux;
}

/** Types `interlock …` in a terminal, which is one of another tmux; what it answers steers that one. */
export function typeIn(
  folder: string,
  line: string,
  env: NodeJS.ProcessEnv = {},
): (...args: readonly string[]) => string {
  const tmux = tmuxServer(`outer-${process.pid}-${(last += 1)}`);
  const all = { INTERLOCK_STATE_DIR: `${folder}/.state`, ...env };
  const words = Object.entries(all).map(([name, value]) => `${name}='${value}'`);
  const command = `${words.join(' ')} '${process.execPath}' '${CLI}' ${line}; echo "left with $?"; exec cat`;
  tmux('new-session', '-d', '-s', 'outer', '-x', '120', '-y', '30', '-c', folder, command);
  return tmux;
}
