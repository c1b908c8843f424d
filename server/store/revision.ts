import type { TaskId } from '../domain/ids.ts';
import type { RunManifest } from '../domain/run.ts';
import type { TaskState } from '../domain/task.ts';
import type { BoardEvent } from '../scheduler/model/board-event.ts';
import { RunModel } from '../scheduler/model/run-model.ts';
import { reviseRun } from '../scheduler/model/run-revision.ts';

export interface RevisableRun {
  readonly manifest: RunManifest;
  /** In the order of the manifest. */
  readonly states: ReadonlyMap<TaskId, TaskState>;
  /** How far the tasks were before each revision. */
  readonly earlier: ReadonlyMap<TaskId, number>;
}

/** The same as whoever folds the ledger makes of it: there is one rule, and it is the scheduler's. */
export function revised(
  { manifest, states, earlier }: RevisableRun,
  event: Extract<BoardEvent, { kind: 'runRevised' }>,
): RevisableRun {
  const before = new RunModel(manifest, { stateOf: (task) => states.get(task), at: event.at });
  for (const [task, revision] of earlier) before.earlierRevisions.set(task, revision);
  const after = reviseRun(before, event);
  return {
    manifest: after.manifest,
    states: new Map(after.entries.map(({ id, state }) => [id, state])),
    earlier: after.earlierRevisions,
  };
}
