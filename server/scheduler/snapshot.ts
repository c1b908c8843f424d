import { buildGraph, longestChains } from '../domain/graph.ts';
import type { RunId, TaskId } from '../domain/ids.ts';
import type { PathRules } from '../domain/overlap.ts';
import { parsePathSet, type PathSet } from '../domain/path-set.ts';
import type { RunManifest } from '../domain/run.ts';
import type { TaskDefinition, TaskState } from '../domain/task.ts';

/** Everything a decision may depend on. Equal snapshots give equal decisions. */
export interface Snapshot {
  readonly permission: Permission;
  /** Unfinished runs, the oldest first. */
  readonly runs: readonly ActiveRun[];
  /** Runs that somebody asked to stop: nothing of them starts any more. */
  readonly stopping: ReadonlySet<RunId>;
  readonly rules: PathRules;
}

/** Whether this board may start anything at all. */
export type Permission = 'granted' | 'untrusted' | 'shutting-down';

export interface ActiveRun {
  readonly plan: RunPlan;
  readonly states: ReadonlyMap<TaskId, TaskState>;
}

/** What follows from a manifest and never changes, so it is worked out once for each run. */
export interface RunPlan {
  readonly manifest: RunManifest;
  readonly tasks: ReadonlyMap<TaskId, PlannedTask>;
  /** Where the longest chain of waiting tasks starts, that task goes first; then the lower id. */
  readonly order: readonly TaskId[];
}

export interface PlannedTask {
  readonly definition: TaskDefinition;
  readonly writes: PathSet;
}

export function planRun(manifest: RunManifest): RunPlan {
  const chains = longestChains(buildGraph(manifest.tasks));
  const tasks = manifest.tasks.map((definition) => {
    const task: PlannedTask = { definition, writes: parsePathSet(definition.writes) };
    return [definition.id, task] as const;
  });
  const order = manifest.tasks
    .map(({ id }) => id)
    .toSorted((a, b) => (chains.get(b) ?? 0) - (chains.get(a) ?? 0) || (a < b ? -1 : 1));
  return { manifest, tasks: new Map(tasks), order };
}
