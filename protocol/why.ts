import type { TaskKey, TaskViewState } from './tasks.ts';

/** Client to server, when the user wants to know why a task is not running: `TaskKey` to `WhyReply`. */
export const WHY_TASK = 'why/task';

/** Client to server, when the user chooses the action `clear` of a blocker: `ClearBlocker` to `ClearReply`. */
export const CLEAR_BLOCKER = 'why/clear';

export interface WhyReply {
  readonly title: string;
  readonly state: TaskViewState;
  /** One for each thing that is in the way; none where it runs, has ended, or could be run now. */
  readonly blockers: readonly BlockerView[];
}

export interface BlockerView {
  /** The same for as long as it is the same thing. */
  readonly key: string;
  /** What kind of thing it is: a reason of the scheduler, `plan`, `unclaimed`, or `busy`. */
  readonly kind: string;
  /** What it is, as a sentence without its end. */
  readonly what: string;
  /** What clears it, as a sentence without its end. */
  readonly remedy: string;
  /** When it clears by itself at the latest, in milliseconds since 1970. */
  readonly until?: number;
  readonly action?: BlockerAction;
}

/** The one thing to do about a blocker; `title` says what, as a button would. */
export type BlockerAction =
  /** The client asks the user to trust the folder. */
  | { readonly kind: 'trust'; readonly title: string }
  | {
      readonly kind: 'open';
      readonly title: string;
      readonly uri: string;
      readonly line: number;
      readonly character: number;
    }
  /** Another task is in the way: why is that one not running, or what is it doing? */
  | { readonly kind: 'show'; readonly title: string; readonly task: TaskKey }
  | { readonly kind: 'run'; readonly title: string; readonly task: TaskKey }
  | { readonly kind: 'claim'; readonly title: string; readonly task: TaskKey }
  /** The server does it. */
  | { readonly kind: 'clear'; readonly title: string };

export interface ClearBlocker extends TaskKey {
  readonly key: string;
}

export interface ClearReply {
  /** What has come of it, as a sentence for the user; absent where that shows. */
  readonly message?: string;
}
