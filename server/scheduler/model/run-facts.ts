import type { TaskId, WorkerId } from '../../domain/ids.ts';
import type { RunManifest } from '../../domain/run.ts';
import type { TaskState } from '../../domain/task.ts';
import type { Instant } from '../../domain/time.ts';
import type { BoardModel } from './board-model.ts';
import { RunModel, type TaskEntry } from './run-model.ts';
import type { Standing } from './outside.ts';
import type { Starvation } from './starvation-count.ts';

/** An unfinished run. Tasks are named by their places in its manifest. */
export interface PlainRun {
  readonly manifest: RunManifest;
  readonly isStopping: boolean;
  readonly isInterrupted: boolean;
  readonly earlierRevisions: readonly (readonly [TaskId, number])[];
  readonly tasks: readonly PlainTask[];
  /** How far each task is that its tasks wait for in other runs, in the order of the manifest. */
  readonly outside?: readonly Standing[];
  /** Absent where all tasks are of one class. */
  readonly ranks?: readonly number[];
  /** In the order in which they are looked at. */
  readonly doomed: readonly number[];
  readonly revivable: readonly number[];
  /** Those that are ready, where it matters who has been so longest: among equals, who came first. */
  readonly oldestFirst: readonly number[];
}

interface PlainTask {
  readonly state: TaskState;
  readonly readySince: Instant;
  readonly isPaused?: true;
  readonly ranAt?: string;
  readonly starvation?: Starvation;
  readonly wokenAt?: readonly (readonly [WorkerId, Instant])[];
  readonly leftBy?: WorkerId;
}

export function plainRunOf(run: RunModel): PlainRun {
  const { manifest, isStopping, isInterrupted, earlierRevisions, classes } = run;
  return {
    manifest,
    isStopping,
    isInterrupted,
    earlierRevisions: [...earlierRevisions],
    tasks: run.entries.map(plainTaskOf),
    ...(run.outside.size > 0 && {
      outside: [...run.outside.values()].map(({ standing }) => standing),
    }),
    ...(classes !== undefined && { ranks: [...classes.ranks] }),
    doomed: numbersOf(run.doomed),
    revivable: numbersOf(run.revivable),
    oldestFirst: numbersOf(oldestFirst(run)),
  };
}

/** All of it but the claims, which stand in one order for the whole board. */
export function restoreRun(board: BoardModel, plain: PlainRun): void {
  const { manifest, tasks } = plain;
  const states = new Map(manifest.tasks.map(({ id }, number) => [id, tasks[number]?.state]));
  const standings = new Map(
    manifest.outside?.map(({ reference }, number) => [reference, plain.outside?.[number]]),
  );
  const run = new RunModel(manifest, {
    stateOf: (id) => states.get(id),
    standingOf: ({ reference }) => standings.get(reference) ?? 'open',
    at: board.now,
  });
  run.isStopping = plain.isStopping;
  run.isInterrupted = plain.isInterrupted;
  for (const [id, revision] of plain.earlierRevisions) run.earlierRevisions.set(id, revision);
  if (plain.ranks !== undefined) run.classes?.restore(plain.ranks);
  for (const [number, task] of tasks.entries()) restoreTask(run.entries[number]!, task);
  arrange(run.doomed, run, plain.doomed);
  arrange(run.revivable, run, plain.revivable);
  board.runs.set(manifest.id, run);
  board.outside.add(run);
  for (const number of plain.oldestFirst) board.ready.place(run.entries[number]!, board.now);
  for (const entry of run.entries)
    if (entry.lane === undefined) board.ready.place(entry, board.now);
}

function plainTaskOf(entry: TaskEntry): PlainTask {
  const { state, readySince, isPaused, ranAt, starvation, wokenAt, leftBy } = entry;
  return {
    state,
    readySince,
    ...(isPaused && { isPaused }),
    ...(ranAt !== undefined && { ranAt }),
    ...(starvation !== undefined && { starvation }),
    ...(wokenAt !== undefined && { wokenAt: [...wokenAt] }),
    ...(leftBy !== undefined && { leftBy }),
  };
}

function restoreTask(entry: TaskEntry, plain: PlainTask): void {
  const { readySince, isPaused = false, starvation, wokenAt } = plain;
  entry.readySince = readySince;
  entry.isPaused = isPaused;
  entry.ranAt = plain.ranAt;
  if (isPaused) entry.run.paused.add(entry);
  entry.starvation = starvation;
  entry.leftBy = plain.leftBy;
  if (wokenAt !== undefined) entry.wokenAt = new Map(wokenAt);
  entry.run.count(entry, undefined);
}

/** The same tasks, in this order. */
function arrange(set: Set<TaskEntry>, { entries }: RunModel, numbers: readonly number[]): void {
  for (const number of numbers) {
    set.delete(entries[number]!);
    set.add(entries[number]!);
  }
}

function* oldestFirst(run: RunModel): Generator<TaskEntry, void> {
  for (const { keepsAge, oldest } of run.lanes.flat())
    if (keepsAge) for (let entry = oldest; entry !== undefined; entry = entry.newer) yield entry;
}

function numbersOf(entries: Iterable<TaskEntry>): readonly number[] {
  return Array.from(entries, ({ number }) => number);
}
