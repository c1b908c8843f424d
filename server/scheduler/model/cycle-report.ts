import type { TaskId, WorkerId } from '../../domain/ids.ts';
import type { Reason } from './reason.ts';

/** What one round over the tasks that workers take for themselves saw and did. */
export interface CycleReport {
  /** Tasks that wait to be taken, and workers that are here. */
  readonly waiting: Tally<TaskId>;
  readonly idle: Tally<WorkerId>;
  /** Tasks that were lost since the cycle before. */
  readonly recovered: Tally<TaskId>;
  readonly woken: Tally<{ readonly task: TaskId; readonly worker: WorkerId }>;
  readonly starved: Tally<TaskId>;
  /** Tasks for which nobody was woken, by the reason. */
  readonly skipped: Readonly<Partial<Record<SkipReason, Tally<TaskId>>>>;
}

/** `busy`: whoever could take it is at work. `recently-woken`: it was told already. */
export type SkipReason = Reason['kind'] | 'busy' | 'recently-woken';

/** How many, and the ids of the first of them. */
export interface Tally<Item> {
  readonly count: number;
  readonly first: readonly Item[];
}

/** How often a cycle looks at what waits, news or not. */
export const CYCLE_MS = 15_000;

/** What a reader looks through; the count says how many more there were. */
export const IDS_LIMIT = 100;

/** Sums over all cycles. */
export interface CycleTotals {
  readonly cycles: number;
  readonly recovered: number;
  readonly woken: number;
  readonly skipped: number;
}

export const NO_CYCLES: CycleTotals = { cycles: 0, recovered: 0, woken: 0, skipped: 0 };

export function addToTotals(totals: CycleTotals, report: CycleReport): CycleTotals {
  const skipped = Object.values(report.skipped).reduce((sum, { count }) => sum + count, 0);
  return {
    cycles: totals.cycles + 1,
    recovered: totals.recovered + report.recovered.count,
    woken: totals.woken + report.woken.count,
    skipped: totals.skipped + skipped,
  };
}

export const NO_TALLY: Tally<never> = { count: 0, first: [] };

export function addToTally<Item>({ count, first }: Tally<Item>, item: Item): Tally<Item> {
  return { count: count + 1, first: first.length < IDS_LIMIT ? [...first, item] : first };
}

export function tallyOf<Item>(items: readonly Item[]): Tally<Item> {
  return { count: items.length, first: items.slice(0, IDS_LIMIT) };
}
