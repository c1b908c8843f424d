import { unreachable } from '../assert.ts';
import type { Priority } from '../priority.ts';

/** How much the coordinator takes on: the higher its load, the fewer classes it serves. */
export type LoadMode = 'normal' | 'moderate' | 'high' | 'critical';

/** How many tasks may wait, where nobody says otherwise. */
export const DEFAULT_QUEUE_LIMIT = 10_000;

export interface LoadReading {
  readonly queued: number;
  readonly queueLimit: number;
  /** The parts in use, from 0 to 1. */
  readonly memory: number;
  readonly cpu: number;
}

/**
 * The worst of the three signals. A signal enters a mode at one threshold and holds it down to a
 * lower one, so that a reading which swings between them does not switch the mode to and fro.
 *
 * Invariant: for one previous mode, a higher reading never gives a lower mode; and the same reading
 * twice gives the same mode twice.
 */
export function loadMode(previous: LoadMode, reading: LoadReading): LoadMode {
  const shares: Shares = {
    queue: reading.queued / Math.max(1, reading.queueLimit),
    memory: reading.memory,
    cpu: reading.cpu,
  };
  return worse(reachedMode(shares, 'enters'), milder(previous, reachedMode(shares, 'holds')));
}

/** Whether no signal is anywhere near a mode. It is asked in every turn, so it is quick. */
export function isCalm(
  queued: number,
  { queueLimit, memory, cpu }: Omit<LoadReading, 'queued'>,
): boolean {
  const { queue, memory: someMemory, cpu: someCpu } = LEVELS[LEVELS.length - 1]!.holds;
  return queued < queue * queueLimit && memory < someMemory && cpu < someCpu;
}

type Shares = Readonly<Record<'queue' | 'memory' | 'cpu', number>>;

/**
 * Memory is short earlier than it is full, because the tasks need some of what is left. A busy
 * processor is what a machine is for: only one with hardly a pause counts. Both hold their mode for
 * 5 percentage points, the queue for 10. The numbers are written out, since 0.8 - 0.1 is not 0.7.
 */
const LEVELS = [
  {
    mode: 'critical',
    enters: { queue: 0.95, memory: 0.97, cpu: 0.995 },
    holds: { queue: 0.85, memory: 0.92, cpu: 0.945 },
  },
  {
    mode: 'high',
    enters: { queue: 0.8, memory: 0.9, cpu: 0.97 },
    holds: { queue: 0.7, memory: 0.85, cpu: 0.92 },
  },
  {
    mode: 'moderate',
    enters: { queue: 0.5, memory: 0.8, cpu: 0.9 },
    holds: { queue: 0.4, memory: 0.75, cpu: 0.85 },
  },
] satisfies readonly {
  readonly mode: LoadMode;
  readonly enters: Shares;
  readonly holds: Shares;
}[];

function reachedMode({ queue, memory, cpu }: Shares, edge: 'enters' | 'holds'): LoadMode {
  const reached = LEVELS.find(({ [edge]: least }) => {
    return queue >= least.queue || memory >= least.memory || cpu >= least.cpu;
  });
  return reached?.mode ?? 'normal';
}

const RANKS: Readonly<Record<LoadMode, number>> = { normal: 0, moderate: 1, high: 2, critical: 3 };

function worse(a: LoadMode, b: LoadMode): LoadMode {
  return RANKS[a] >= RANKS[b] ? a : b;
}

function milder(a: LoadMode, b: LoadMode): LoadMode {
  return RANKS[a] <= RANKS[b] ? a : b;
}

/** Under load everything takes longer without being stuck. */
export function timeoutFactor(mode: LoadMode): number {
  switch (mode) {
    case 'normal':
      return 1;
    case 'moderate':
      return 1.5;
    case 'high':
      return 2.5;
    case 'critical':
      return 5;
    default:
      return unreachable(mode);
  }
}

/** Whether tasks of this class start in this mode; the others wait until it passes. */
export function isServed(mode: LoadMode, priority: Priority): boolean {
  switch (mode) {
    case 'normal':
    case 'moderate':
      return true;
    case 'high':
      return priority !== 'low';
    case 'critical':
      return priority === 'critical';
    default:
      return unreachable(mode);
  }
}

/** Whether a new run is refused. One run may be larger than the queue; it is not cut in two. */
export function isQueueFull({
  queued,
  queueLimit,
}: Pick<LoadReading, 'queued' | 'queueLimit'>): boolean {
  return queued >= queueLimit;
}
