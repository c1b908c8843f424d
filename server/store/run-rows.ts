import type { RunId, TaskId } from '../domain/ids.ts';
import { type RunManifest, type RunOutcome, withoutDuplicates } from '../domain/run.ts';
import type { Instant } from '../domain/time.ts';
import type { RunRecord, RunStatus } from '../engine/store-port.ts';
import { checkSum, rowSum } from './row-sum.ts';

/** A run without its manifest, which has all of its tasks and is long. */
export interface RunRow {
  readonly number: number;
  readonly id: RunId;
  readonly root: string;
  readonly plan: string;
  readonly manifest_sum: number;
  /** Equal for two runs of which the tasks have the same ids. */
  readonly tasks_sum: number;
  readonly requested_at: Instant;
  readonly outcome: RunOutcome | null;
  readonly finished_at: Instant | null;
  readonly interrupted_at: Instant | null;
  readonly stop_asked_at: Instant | null;
  /** How far the tasks were that have left the plan while it ran. */
  readonly earlier_revisions: string;
  readonly sum: number;
}

export interface WholeRunRow extends RunRow {
  readonly manifest: string;
}

export function newRunRow(number: number, manifest: RunManifest): WholeRunRow {
  const { id, root, plan, requestedAt: requested_at } = manifest;
  const text = JSON.stringify(manifest);
  const row = {
    number,
    id,
    root,
    plan,
    manifest_sum: rowSum(text),
    tasks_sum: tasksSumOf(idsIn(manifest)),
    requested_at,
    outcome: null,
    finished_at: null,
    interrupted_at: null,
    stop_asked_at: null,
    earlier_revisions: '[]',
  };
  return { ...withSum(row), manifest: text };
}

export function revisedRunRow(
  row: RunRow,
  { manifest, earlier }: { manifest: RunManifest; earlier: ReadonlyMap<TaskId, number> },
): WholeRunRow {
  const text = JSON.stringify(manifest);
  const earlier_revisions = JSON.stringify([...earlier]);
  const sums = { manifest_sum: rowSum(text), tasks_sum: tasksSumOf(idsIn(manifest)) };
  const changed = withSum({ ...row, ...sums, earlier_revisions });
  return { ...changed, manifest: text };
}

/** The row of a run whose folder has another path; `text` is its manifest with that path. */
export function movedRunRow(row: WholeRunRow, text: string): WholeRunRow {
  manifestIn(row);
  const { root }: RunManifest = JSON.parse(text);
  return withSum({ ...row, root, manifest: text, manifest_sum: rowSum(text) });
}

export function tasksSumOf(tasks: readonly TaskId[]): number {
  return rowSum(tasks.toSorted().join(' '));
}

function idsIn(manifest: RunManifest): readonly TaskId[] {
  return withoutDuplicates(manifest).tasks.map(({ id }) => id);
}

/** To be called whenever a column has changed. */
export function withSum<Row extends Omit<RunRow, 'sum'>>(row: Row): Row & { readonly sum: number } {
  return { ...row, sum: rowSum(...summedOf(row)) };
}

export function checkedRun<Row extends RunRow>(row: Row): Row {
  checkSum('run', row.sum, summedOf(row));
  return row;
}

export function manifestIn(row: WholeRunRow): RunManifest {
  checkSum('run', row.manifest_sum, [row.manifest]);
  return JSON.parse(row.manifest);
}

export function earlierIn({ earlier_revisions: text }: RunRow): ReadonlyMap<TaskId, number> {
  const earlier: readonly (readonly [TaskId, number])[] = JSON.parse(text);
  return new Map(earlier);
}

export function rowToRecord(row: WholeRunRow): RunRecord {
  return {
    manifest: manifestIn(checkedRun(row)),
    status: statusOf(row),
    outcome: row.outcome ?? undefined,
    finishedAt: row.finished_at ?? undefined,
  };
}

export function statusOf(row: Pick<RunRow, 'outcome' | 'interrupted_at'>): RunStatus {
  if (row.outcome !== null) return 'finished';
  return row.interrupted_at === null ? 'active' : 'interrupted';
}

function summedOf(row: Omit<RunRow, 'sum'>): readonly (string | number | null)[] {
  const { number, id, root, plan, manifest_sum, tasks_sum, requested_at, outcome, finished_at } =
    row;
  const { interrupted_at, stop_asked_at, earlier_revisions } = row;
  const identity = [number, id, root, plan, manifest_sum, tasks_sum, requested_at];
  return [...identity, outcome, finished_at, interrupted_at, stop_asked_at, earlier_revisions];
}
