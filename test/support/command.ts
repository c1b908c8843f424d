import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const CLI = path.join(ROOT, 'dist', 'cli.js');
export const SERVER = path.join(ROOT, 'dist', 'server.js');

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunningProgram {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Everything it has written so far. */
  readonly output: () => string;
  /** Resolves when its output has the text; rejects when it ends without. */
  readonly says: (text: string | RegExp) => Promise<void>;
}

export interface ProgramOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts a program that does not outlive its test. */
export function startProgram(
  file: string,
  args: readonly string[],
  { cwd, env = {} }: ProgramOptions,
): RunningProgram {
  const child = spawn(file, args, { cwd, env: { ...process.env, ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.end();
  let [out, err] = ['', ''];
  const listeners = new Set<() => void>();
  const heard = (): void => {
    for (const listener of listeners) listener();
  };
  child.stdout.on('data', (data) => {
    out += String(data);
    heard();
  });
  child.stderr.on('data', (data) => {
    err += String(data);
    heard();
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => resolve({ code, out, err }));
  });
  const output = (): string => out + err;
  const says = async (text: string | RegExp): Promise<void> =>
    await new Promise((resolve, reject) => {
      const look = (): void => {
        if (typeof text === 'string' ? output().includes(text) : text.test(output())) resolve();
      };
      listeners.add(look);
      void ended.then(() =>
        reject(new Error(`It ended without saying ${String(text)}:\n${output()}`)),
      );
      look();
    });
  return { child, ended, output, says };
}

/** `interlock …` as it ships, in a folder, with state of its own. */
export function startCli(
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): RunningProgram {
  const own = { INTERLOCK_STATE_DIR: path.join(cwd, '.state'), ...env };
  return startProgram(process.execPath, [CLI, ...args], { cwd, env: own });
}

export async function cli(
  args: readonly string[],
  cwd: string,
  env?: NodeJS.ProcessEnv,
): Promise<Ended> {
  return await startCli(args, cwd, env).ended;
}
