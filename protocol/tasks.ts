/** Client to server: all tasks of all folders. Answer: `TaskView[]`. */
export const LIST_TASKS = 'tasks/list';

/** Server to client, whenever tasks come, go, or change how they look: `TasksChanged`. */
export const TASKS_CHANGED = 'tasks/changed';

/** Client to server, when the user asks to run: `RunTasks`. Answer: `RunReply`. */
export const RUN_TASKS = 'tasks/run';

/** Client to server, when the user asks to stop a folder's tasks: `FolderParams` to `StopReply`. */
export const STOP_TASKS = 'tasks/stop';

/** Client to server: where the output of a task's newest attempt is. `TaskKey` to `LogReply`. */
export const FIND_LOG = 'tasks/log';

/** Names one task among all folders and plans of a window. */
export interface TaskKey {
  /** The workspace folder, as the client named it. */
  readonly folderUri: string;
  /** The plan's path relative to the folder. */
  readonly plan: string;
  readonly id: string;
}

export type TaskViewState =
  /** Never part of a run. */
  | 'idle'
  /** Cannot start until the plan is edited. */
  | 'blocked'
  /** Part of a run that nobody carries on now. */
  | 'interrupted'
  | 'waiting'
  | 'ready'
  | 'claimed'
  | 'running'
  /** A person has to look at it; the rest of its run goes on. */
  | 'attention'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'skipped';

/** One task, ready to be shown. */
export interface TaskView extends TaskKey {
  readonly title: string;
  readonly state: TaskViewState;
  /** A clause that says more of the state, or nothing: `exit code 3`, `waits for schema`. */
  readonly detail: string;
  readonly planUri: string;
  /** Where the id is written; both count from zero. */
  readonly line: number;
  readonly character: number;
}

export interface TasksChanged {
  readonly changed: readonly TaskView[];
  readonly removed: readonly TaskKey[];
}

export interface FolderParams {
  readonly folderUri: string;
}

export interface RunTasks extends FolderParams {
  /** Absent: all plans of the folder. */
  readonly plan?: string;
  /** Empty: all tasks. What they depend on runs too. */
  readonly ids: readonly string[];
  /** These tasks run in a terminal this once, whatever their plan says; what they depend on does not. */
  readonly in?: 'terminal';
}

export type RunReply =
  | {
      readonly kind: 'accepted';
      readonly leftOut: readonly LeftOutTask[];
      readonly refusedPlans: readonly RefusedPlan[];
    }
  | { readonly kind: 'refused'; readonly message: string };

export interface StopReply {
  /** Why nothing was stopped, as a sentence for the user; absent when it was. */
  readonly refusal?: string;
}

/** Not part of the run, because it cannot start until its plan is edited. */
interface LeftOutTask {
  readonly id: string;
  readonly why: string;
}

/** None of its tasks run, though those of other plans do. The message is a sentence for the user. */
interface RefusedPlan {
  readonly plan: string;
  readonly message: string;
}

export interface LogReply {
  /** Absent when the task has not run yet. */
  readonly path: string | undefined;
}
