import type { FolderParams, TaskKey, TaskView } from './tasks.ts';

/** Server to client, whenever tasks or runs come, go, or change how they look: `TasksChanged`. */
export const TASKS_CHANGED = 'tasks/changed';

/** Server to client, once for each run that ended: `RunFinished`. */
export const RUN_FINISHED = 'runs/finished';

type RunOutcome = 'completed' | 'failed' | 'cancelled' | 'superseded' | 'deadlocked';

export interface RunFinished extends RunKey {
  readonly plan: string;
  readonly outcome: RunOutcome;
  readonly completedCount: number;
  readonly failedIds: readonly string[];
  readonly skippedCount: number;
  /** From when it was asked for until its end. */
  readonly tookMs: number;
}

/** Names one run among all folders of a window. */
export interface RunKey extends FolderParams {
  readonly run: string;
}

/** How the tasks of a run are, added up. Tasks that a newer run has too are not among them. */
interface RunCounts {
  readonly waiting: number;
  readonly ready: number;
  /** Claimed ones too. */
  readonly running: number;
  readonly attention: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly skipped: number;
}

/** One run, ready to be shown: each run that is the newest of a task of a plan. */
export interface RunView extends RunKey {
  readonly plan: string;
  readonly requestedBy: string;
  readonly requestedAt: number;
  readonly status:
    | 'active'
    /** What runs is asked to end, and nothing more starts. */
    | 'stopping'
    /** Nothing starts, since the board is paused; what runs goes on. */
    | 'paused'
    /** Nobody carries it on now. */
    | 'interrupted'
    | 'finished';
  /** Both only of a run that is finished. */
  readonly outcome?: RunOutcome;
  readonly finishedAt?: number;
  readonly counts: RunCounts;
}

/** Tasks and runs as they are at one moment, so that a view never shows them of different ones. */
export interface TasksChanged {
  readonly changed: readonly TaskView[];
  readonly removed: readonly TaskKey[];
  readonly runs: RunsChanged;
}

export interface RunsChanged {
  readonly changed: readonly RunView[];
  readonly removed: readonly RunKey[];
}
