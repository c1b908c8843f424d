import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * A measured program inherits this variable with a value of its own, and hands it on. So even what
 * it leaves behind in a session of its own is found, counted and ended.
 */
export const MARK = 'INTERLOCK_BENCH_MARK';

const CLOCK_TICKS_PER_SECOND = 100;
const STOP_TIMEOUT_MS = 5000;
const POLL_MS = 20;

export interface Memory {
  /** What is shared counts once: forks of one process would count it many times. */
  readonly proportionalBytes: number;
  readonly residentBytes: number;
}

/** On other systems than Linux there are no such figures, and nothing to end. */
function canLook(): boolean {
  return existsSync('/proc/self/smaps_rollup');
}

export function markedProcesses(mark: string): readonly number[] {
  if (!canLook()) return [];
  const wanted = `${MARK}=${mark}\0`;
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && textOf(pid, 'environ').includes(wanted));
}

/** What a process has used itself, and all of its children that it has waited for. */
export function cpuMsOf(pid: number): number {
  const [utime = 0, stime = 0, childUtime = 0, childStime = 0] = timesOf(pid);
  return ((utime + stime + childUtime + childStime) * 1000) / CLOCK_TICKS_PER_SECOND;
}

/** What our own children have used, once we have waited for them. */
export function childrenCpuMs(): number {
  const [, , childUtime = 0, childStime = 0] = timesOf(process.pid);
  return ((childUtime + childStime) * 1000) / CLOCK_TICKS_PER_SECOND;
}

export function memoryOf(pids: readonly number[]): Memory {
  const texts = pids.map((pid) => textOf(pid, 'smaps_rollup'));
  const sum = (field: RegExp): number =>
    texts.reduce((total, text) => total + Number(field.exec(text)?.[1] ?? 0) * 1024, 0);
  return {
    proportionalBytes: sum(/^Pss:\s+(\d+) kB/m),
    residentBytes: sum(/^Rss:\s+(\d+) kB/m),
  };
}

/** Asks, waits, then kills. */
export async function endMarked(mark: string): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const pid of markedProcesses(mark)) send(pid, signal);
    for (let waitedMs = 0; waitedMs < STOP_TIMEOUT_MS; waitedMs += POLL_MS) {
      if (markedProcesses(mark).length === 0) return;
      await delay(POLL_MS);
    }
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself since it was found.
  }
}

function timesOf(pid: number): readonly number[] {
  const text = textOf(pid, 'stat');
  // The name of the program may hold anything, also spaces and parentheses.
  return text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map(Number);
}

function textOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
