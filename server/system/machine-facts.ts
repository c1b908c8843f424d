import { execFile } from 'node:child_process';
import { accessSync, constants, readFileSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { ClockFacts, ProgramFacts, StateFacts, WatchFacts } from '../doctor/ports.ts';

const PATIENCE_MS = 5000;
const LONGEST_ANSWER = 1024 * 1024;

/** What a program says of itself; it gets no input, and is killed when it takes too long. */
export function askProgram(
  folder: string,
  env: NodeJS.ProcessEnv,
): (command: string, args: readonly string[]) => Promise<ProgramFacts> {
  const options = {
    cwd: folder,
    env: { ...env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' },
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
    maxBuffer: LONGEST_ANSWER,
    windowsHide: true,
  } as const;
  return async (command, args) =>
    await new Promise((resolve) => {
      const child = execFile(command, args, options, (error, stdout, stderr) => {
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
