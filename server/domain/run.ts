import type { RunId, TaskId } from './ids.ts';
import type { TaskDefinition, TaskState } from './task.ts';
import type { Instant } from './time.ts';

/**
 * What one run executes, fixed when it is asked for. Edits of the plan do not reach a run that has
 * begun: it carries its own copy of the tasks.
 */
export interface RunManifest {
  readonly id: RunId;
  /** The workspace folder, as an absolute real path. */
  readonly root: string;
  /** The plan file, relative to `root`. */
  readonly plan: string;
  /** Equal for two runs of the same tasks with the same definitions. */
  readonly planHash: string;
  /** The ids that were asked for; empty means all of the plan. */
  readonly selection: readonly TaskId[];
  readonly requestedBy: string;
  readonly requestedAt: Instant;
  readonly policy: RunPolicy;
  readonly tasks: readonly TaskDefinition[];
}

export interface RunPolicy {
  /** How many tasks of the board may run at once. */
  readonly parallel: number;
  /** Start nothing more after the first failure. */
  readonly failFast: boolean;
}

/** `superseded`: interrupted, and then a changed plan or selection was run instead. */
export type RunOutcome = 'completed' | 'failed' | 'cancelled' | 'superseded';

/** An unfinished run with the state of each of its tasks. */
export interface Run {
  readonly manifest: RunManifest;
  readonly states: ReadonlyMap<TaskId, TaskState>;
}
