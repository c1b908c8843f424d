/** Client to server: all tasks of all folders. Answer: `TaskView[]`. */
export const LIST_TASKS = 'tasks/list';

/** Client to server, when the user asks to run: `RunTasks`. Answer: `RunReply`. */
export const RUN_TASKS = 'tasks/run';

/** Client to server, when the user asks to stop a folder's tasks: `FolderParams` to `StopReply`. */
export const STOP_TASKS = 'tasks/stop';

/** Client to server: where the output of a task's newest attempt is. `TaskKey` to `LogReply`. */
export const FIND_LOG = 'tasks/log';

/** Client to server, when somebody looks at a task: all there is to say of it. `TaskKey` to `DescribeReply`. */
export const DESCRIBE_TASK = 'tasks/describe';

/** Client to server, when the user intervenes: `ControlTasks`. Answer: `ControlReply`. */
export const CONTROL_TASKS = 'tasks/control';

/** Client to server, when the user lets a task start that waits for their file: `TaskKey` to `LetStartReply`. */
export const LET_START = 'tasks/letStart';

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
  /** The newest run that has it; absent: none ever had. */
  readonly run?: string;
  /** The number of its newest try in that run; 0: it was not tried yet. */
  readonly attempt: number;
  /** When its newest try began and ended, in milliseconds since 1970. */
  readonly startedAt?: number;
  readonly finishedAt?: number;
  /** Who has it now; absent where nobody has, or a runner of ours. */
  readonly holder?: Holder;
  /** Who has the files that it waits for; absent where that is no agent and no person. */
  readonly blocker?: Holder;
  /** What must come first, as its plan says it: ids, and `plan/id` for those of other plans. */
  readonly dependsOn: readonly string[];
  /** Somebody wants it not to start. */
  readonly isPaused: boolean;
  /** It waits for files that somebody else writes or reads. */
  readonly isColliding: boolean;
  /** It waits for a file of the person before this window, who can let it start; absent: it does not. */
  readonly waitsForYou?: true;
  /** A command, which Interlock runs; an agent, which takes it by itself; or people, who claim it. */
  readonly doneBy: 'command' | 'agent' | 'people';
}

/** An agent or a person. */
interface Holder {
  /** As it is shown: `claude-1`. */
  readonly name: string;
  /** Until when, in milliseconds since 1970; absent: until it lets go. */
  readonly until?: number;
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
  /** These tasks run on this host this once, whatever their plan says; what they depend on does not. */
  readonly on?: string;
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

export interface DescribeReply {
  /** Markdown for a tooltip; nothing of it is a link or a command. Absent: there is no such task any more. */
  readonly markdown: string | undefined;
}

export interface ControlTasks extends FolderParams {
  readonly what: Intervention;
}

/** What a person wants to be done, whatever the scheduler would do. */
export type Intervention =
  /** Nothing more starts on the board of the folder, and what runs goes on; or it goes on. */
  | { readonly kind: 'pause-all' | 'resume-all' }
  /** What runs of it is asked to end, and nothing more of it starts. */
  | { readonly kind: 'stop-run'; readonly run: string }
  | {
      /** `retry` of a task whose run is over runs it again, with what it needs. */
      readonly kind: 'cancel' | 'retry' | 'pause' | 'resume' | 'answer';
      readonly tasks: readonly PlanTaskName[];
    };

interface PlanTaskName {
  readonly plan: string;
  readonly id: string;
}

export interface ControlReply {
  /** Why something was not done, a sentence for the user each; empty when all of it was. */
  readonly refusals: readonly string[];
}

export interface LetStartReply {
  /** What has come of it, as a sentence for the user; absent where that shows. */
  readonly message?: string;
}
