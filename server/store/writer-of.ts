import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import path from 'node:path';

/** A process that is in the middle of a write to a database. */
export interface Writer {
  readonly pid: number;
  /** What its program is called. */
  readonly program: string;
  readonly isStopped: boolean;
}

/** In the shared memory file of a database in WAL mode, SQLite locks this byte to write. */
const WRITE_BYTE = 120;
/** The locks of a machine are tens of bytes each. */
const LOCKS_BYTES = 1024 * 1024;
const LOCK = /^\d+: POSIX +\S+ +WRITE (\d+) [\da-f]+:[\da-f]+:(\d+) (\d+) (\d+|EOF)$/gm;

/** Which process writes to a database now. Only Linux says so, and only of processes that we may see. */
export function writerOf(file: string): Writer | undefined {
  const pids = new Set<number>();
  for (const { pid, first, last } of locksOf(`${file}-shm`))
    if (first <= WRITE_BYTE && last >= WRITE_BYTE) pids.add(pid);
  const [pid = 0] = pids;
  // Files of two disks may have one number.
  return pids.size === 1 ? processOf(pid) : undefined;
}

/**
 * A process that was suspended while it opened or closed a database. Then none can read it, so that no copy
 * can be made.
 */
export function suspendedUserOf(file: string): Writer | undefined {
  for (const { pid } of [...locksOf(file), ...locksOf(`${file}-shm`)]) {
    const found = pid === process.pid ? undefined : processOf(pid);
    if (found?.isStopped === true) return found;
  }
  return undefined;
}

interface FileLock {
  readonly pid: number;
  readonly first: number;
  readonly last: number;
}

function locksOf(file: string): readonly FileLock[] {
  if (process.platform !== 'linux') return [];
  try {
    const { ino } = statSync(file);
    const locks: FileLock[] = [];
    for (const [, pid, inode, first, last] of start('/proc/locks').matchAll(LOCK))
      if (Number(inode) === ino)
        locks.push({
          pid: Number(pid),
          first: Number(first),
          last: last === 'EOF' ? Infinity : Number(last),
        });
    return locks;
  } catch {
    // The file has gone, or locks cannot be seen.
    return [];
  }
}

function processOf(pid: number): Writer | undefined {
  try {
    return pid > 0 ? { pid, ...programOf(pid) } : undefined;
  } catch {
    // It has ended.
    return undefined;
  }
}

function programOf(pid: number): Omit<Writer, 'pid'> {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const end = stat.lastIndexOf(')');
  // The system's own name for it is that of a thread, which Node.js calls "MainThread".
  const [started = ''] = start(`/proc/${pid}/cmdline`).split('\0');
  const program = path.basename(started) || stat.slice(stat.indexOf('(') + 1, end);
  return { program, isStopped: /^[Tt]$/.test(stat.charAt(end + 2)) };
}

function start(file: string): string {
  const buffer = Buffer.alloc(LOCKS_BYTES);
  const descriptor = openSync(file, 'r');
  try {
    let length = 0;
    for (let read = -1; read !== 0 && length < LOCKS_BYTES; length += read)
      read = readSync(descriptor, buffer, length, LOCKS_BYTES - length, null);
    return buffer.toString('utf8', 0, length);
  } finally {
    closeSync(descriptor);
  }
}
