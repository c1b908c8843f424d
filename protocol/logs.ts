import type { TaskKey } from './tasks.ts';

/** Client to server, when somebody wants to see what a task prints: `FollowLog` to `FollowReply`. */
export const FOLLOW_LOG = 'logs/follow';

/** Client to server, to run a task and see what it and what it needs print: `FollowRun` to `FollowReply`. */
export const RUN_AND_FOLLOW = 'logs/run';

/** Client to server, when whoever looked has gone: `FollowerParams`. What runs goes on. */
export const UNFOLLOW_LOG = 'logs/unfollow';

/** Client to server, to end what `logs/run` began, or the task where it had been begun before: `FollowerParams` to `null`. */
export const CANCEL_FOLLOWED = 'logs/cancel';

/** Client to server: which attempts at a task have a log, the newest first. `TaskKey` to `AttemptView[]`. */
export const LIST_ATTEMPTS = 'logs/attempts';

/** Server to client, a piece of a log: `LogOutput`. The next one comes after the answer, `null`. */
export const LOG_OUTPUT = 'logs/output';

/** Server to client, when a task that somebody follows has ended: `LogEnded`. */
export const LOG_ENDED = 'logs/ended';

export interface FollowerParams {
  /** Chosen by the client, different for each that follows; it is on whatever comes of it. */
  readonly follower: string;
}

export interface FollowLog extends FollowerParams {
  readonly task: TaskKey;
  /** Only this one, until it is over. Absent: from the newest on, also those of later runs. */
  readonly attempt?: AttemptName;
}

export interface FollowRun extends FollowerParams {
  readonly task: TaskKey;
}

/** A task begins anew with each revision, and counts its attempts from one again. */
export interface AttemptName {
  readonly run: string;
  readonly revision: number;
  readonly attempt: number;
}

export interface AttemptView extends AttemptName {
  /** When its run was asked for, on the clock of whoever reads it. */
  readonly runAt: string;
  /** What became of the task, of the newest attempt of a run; of others nothing is known. */
  readonly outcome: string;
}

export type FollowReply =
  /** What it names comes now; for `logs/run` with all that it needs. */
  | { readonly kind: 'following'; readonly tasks: readonly string[] }
  /** Other tasks of the plan are being run. To be asked again when that run has finished. */
  | { readonly kind: 'busy'; readonly message: string }
  /** The message is a sentence for the user. */
  | { readonly kind: 'refused'; readonly message: string };

export interface LogOutput extends FollowerParams {
  readonly task: string;
  /** Another one than before: what follows is the output of a new try. */
  readonly attempt: AttemptName;
  /** With colours, and without whatever else a terminal would act on or answer. Lines end with LF. */
  readonly text: string;
  /** There was no more when this was sent. */
  readonly isNewest: boolean;
}

export interface LogEnded extends FollowerParams {
  readonly task: string;
  /** The state it has now, and a clause that says more of it: `failed`, `exit code 3 after 40 ms`. */
  readonly state: string;
  readonly detail: string;
  /** As a shell tells it: that of the command, 128 and the number of a signal, 124 for a timeout, 127 if it never began, 130 if it was cancelled. */
  readonly exitCode: number;
  /** Of `logs/run`: the task that was asked for has ended, and nothing more comes. */
  readonly isLast: boolean;
}
