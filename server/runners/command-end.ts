import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import type { Command, Failure } from '../domain/task.ts';
import type { CommandEnd } from '../engine/ports.ts';

export const KILLED: CommandEnd = failed({ kind: 'signal', signal: 'SIGKILL' });

/** What an exit status says, as a shell counts it: 128 and the number for a signal. */
export function endOfStatus(status: number): CommandEnd {
  if (status === 0) return { kind: 'succeeded' };
  const signal = SIGNALS.get(status - 128);
  return failed(signal === undefined ? { kind: 'exit', code: status } : { kind: 'signal', signal });
}

/** As Node tells it of a process that did not get to say how it ended. */
export function signalled(signal: string | null): CommandEnd {
  return failed({ kind: 'signal', signal: signal ?? 'unknown' });
}

function failed(failure: Failure): CommandEnd {
  return { kind: 'failed', failure };
}

export function notStarted(message: string): CommandEnd {
  return failed({ kind: 'not-started', message });
}

export function explainStart(what: string, code: string): string {
  const advice = ADVICE[code] ?? 'Check the disk and the limits of the system.';
  return `Could not start "${what}" (${code}). ${advice}`;
}

/**
 * Whether it is the same however often it is tried: what is asked for is not there, or is not to be
 * had like that. Of what the system has too little of just now there may be more later.
 */
export function isCertain(code: string): boolean {
  return CERTAIN.has(code);
}

const CERTAIN: ReadonlySet<string> = new Set([
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'EACCES',
  'ENOEXEC',
  'E2BIG',
  // What Node calls a word with a NUL in it.
  'ERR_INVALID_ARG_VALUE',
]);

const ADVICE: Readonly<Record<string, string>> = {
  ENOENT: 'Check that it is installed and on PATH.',
  EACCES: 'Check that it may be executed.',
  E2BIG: 'Its script or environment is too long; put it into a file of its own.',
  EMFILE: 'Too many files are open; run fewer tasks at once.',
  EAGAIN: 'Too many processes are running; run fewer tasks at once.',
  ENOSPC: 'Free some disk space.',
  NUL: 'A character with the number zero is in its command, its environment or its folder; remove it.',
};

/**
 * Why a program is not there to be run, if that is so. A shell says it with the statuses 126 and 127,
 * which a program may also have chosen itself.
 */
export function missingProgram(
  command: Command,
  { cwd, searchPath }: { readonly cwd: string; readonly searchPath: string | undefined },
): string | undefined {
  if (command.kind === 'shell') return undefined;
  const { file } = command;
  const candidates = file.includes('/')
    ? [path.resolve(cwd, file)]
    : (searchPath ?? '/usr/bin:/bin').split(':').map((folder) => path.resolve(cwd, folder, file));
  const found = candidates.filter((candidate) => isFile(candidate));
  if (found.length === 0) return explainStart(file, 'ENOENT');
  return found.some((candidate) => isExecutable(candidate))
    ? undefined
    : explainStart(file, 'EACCES');
}

function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    // Its name is too long, or links lead in a circle: nobody can run it.
    return false;
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const isLinux = process.platform === 'linux';

const SIGNALS: ReadonlyMap<number, string> = new Map([
  [1, 'SIGHUP'],
  [2, 'SIGINT'],
  [3, 'SIGQUIT'],
  [4, 'SIGILL'],
  [5, 'SIGTRAP'],
  [6, 'SIGABRT'],
  [isLinux ? 7 : 10, 'SIGBUS'],
  [8, 'SIGFPE'],
  [9, 'SIGKILL'],
  [isLinux ? 10 : 30, 'SIGUSR1'],
  [11, 'SIGSEGV'],
  [isLinux ? 12 : 31, 'SIGUSR2'],
  [13, 'SIGPIPE'],
  [14, 'SIGALRM'],
  [15, 'SIGTERM'],
  [24, 'SIGXCPU'],
  [25, 'SIGXFSZ'],
  [26, 'SIGVTALRM'],
  [27, 'SIGPROF'],
  [isLinux ? 31 : 12, 'SIGSYS'],
]);
