import { execFile, spawn } from 'node:child_process';
import { programPath } from '../runners/find-program.ts';
import { accessSync, constants, readFileSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import type {
  ClockFacts,
  MachineFacts,
  ProgramFacts,
  StateFacts,
  WatchFacts,
} from '../doctor/ports.ts';
import { readTextWithin } from './bounded-read.ts';

const PATIENCE_MS = 5000;
const CONVERSATION_MS = 20_000;
const LONGEST_ANSWER = 1024 * 1024;

/** What a program says of itself; it gets no input, and is killed when it takes too long. */
export function askProgram(folder: string, env: NodeJS.ProcessEnv): MachineFacts['program'] {
  const options = {
    cwd: folder,
    env: { ...env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' },
    killSignal: 'SIGKILL',
    maxBuffer: LONGEST_ANSWER,
    windowsHide: true,
  } as const;
  return async (command, args, patienceMs = PATIENCE_MS) =>
    await new Promise((resolve) => {
      const limited = { ...options, timeout: patienceMs };
      const child = execFile(programPath(command, env), args, limited, (error, stdout, stderr) => {
        // "ssh -V" answers where others complain.
        const text = (stdout || stderr).trim();
        if (error === null) resolve({ kind: 'said', text });
        else if (error.code === 'ENOENT') resolve({ kind: 'absent' });
        else if (error.killed === true)
          resolve({ kind: 'failed', message: 'it does not come to an end' });
        else resolve({ kind: 'failed', message: stderr.trim() || error.message });
      });
      child.stdin?.on('error', () => {});
      child.stdin?.end();
    });
}

type Message = Parameters<MachineFacts['converse']>[2][number];

/**
 * Talks to a program that reads JSON messages, a line each, until it has answered the last one that
 * has an id. Its input stays open meanwhile: some end with it, and answer nothing.
 */
export function converse(folder: string, env: NodeJS.ProcessEnv): MachineFacts['converse'] {
  return async (command, args, messages) =>
    await new Promise((resolve) => {
      const lastId = messages.findLast(({ id }) => id !== undefined)?.id;
      const child = spawn(programPath(command, env), [...args], {
        cwd: folder,
        env: { ...env, LC_ALL: 'C' },
        timeout: CONVERSATION_MS,
        killSignal: 'SIGKILL',
        stdio: ['pipe', 'pipe', 'ignore'],
        windowsHide: true,
      });
      let text = '';
      const end = (facts: ProgramFacts): void => {
        child.kill('SIGKILL');
        resolve(facts);
      };
      child.on('error', ({ message }: NodeJS.ErrnoException) => end({ kind: 'failed', message }));
      child.on('close', () => end({ kind: 'failed', message: 'it ends without an answer' }));
      child.stdin.on('error', () => {});
      child.stdout.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
        const answer = answerIn(text, lastId);
        if (answer !== undefined) end({ kind: 'said', text: answer });
        else if (text.length > LONGEST_ANSWER)
          end({ kind: 'failed', message: 'it answers too much' });
      });
      child.stdin.write(
        messages.map((message: Message) => `${JSON.stringify(message)}\n`).join(''),
      );
    });
}

/** The whole line that answers a request. */
function answerIn(text: string, id: number | undefined): string | undefined {
  const lines = text.split('\n').slice(0, -1);
  return lines.find((line) => {
    try {
      const message: unknown = JSON.parse(line);
      return (
        typeof message === 'object' && message !== null && 'id' in message && message.id === id
      );
    } catch {
      return false;
    }
  });
}

const CONFIG_LIMIT_BYTES = 1024 * 1024;

export function configText(folder: string, home: string): MachineFacts['configText'] {
  return (where, file) =>
    readTextWithin(path.join(where === 'home' ? home : folder, file), CONFIG_LIMIT_BYTES);
}

/** Of a folder that need not be there yet. */
export function stateFacts(
  folder: string,
  networkOf: (folder: string) => string | undefined,
): StateFacts {
  const standing = nearest(folder);
  const stats = statSync(folder, { throwIfNoEntry: false });
  const isPosix = process.platform !== 'win32';
  return {
    path: folder,
    isWritable: mayWrite(standing),
    isOpenToOthers: stats && isPosix && (stats.mode & 0o077) !== 0,
    freeBytes: freeBytes(standing),
    network: networkOf(standing),
  };
}

export function watchFacts(): WatchFacts | undefined {
  const [watches, instances] = [limit('max_user_watches'), limit('max_user_instances')];
  return watches === undefined || instances === undefined ? undefined : { watches, instances };
}

export function clockFacts(file: string): ClockFacts {
  const stats = statSync(file, { throwIfNoEntry: false });
  return { nowMs: Date.now(), writtenMs: stats?.mtimeMs };
}

function nearest(folder: string): string {
  let at = folder;
  while (statSync(at, { throwIfNoEntry: false }) === undefined && path.dirname(at) !== at)
    at = path.dirname(at);
  return at;
}

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}

function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    // Some file systems do not say.
    return undefined;
  }
}

function limit(name: string): number | undefined {
  try {
    return Number(readFileSync(`/proc/sys/fs/inotify/${name}`, 'utf8'));
  } catch {
    return undefined;
  }
}
