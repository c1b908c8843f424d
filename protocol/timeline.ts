import type { RunKey } from './runs.ts';

/** Client to server: the runs that there is a timeline of. No parameters. Answer: `RunSummary[]`, the newest first. */
export const TIMELINE_RUNS = 'timeline/runs';

/** Client to server: what happened in a run, and what happens from now on. `RunKey` to `TimelineReply`. */
export const FOLLOW_TIMELINE = 'timeline/follow';

/** Client to server, when nobody looks at a run any more: `RunKey`. */
export const LEAVE_TIMELINE = 'timeline/leave';

/** Server to client, while a run is followed: `TimelineChanged`. Changes that come together are sent together. */
export const TIMELINE_CHANGED = 'timeline/changed';

export type RunState =
  | 'active'
  | 'interrupted'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'superseded'
  | 'deadlocked';

export interface RunSummary extends RunKey {
  /** The plan's path relative to the folder. */
  readonly plan: string;
  readonly state: RunState;
  readonly requestedBy: string;
  /** As all times here, in milliseconds since 1970, by the clock of the board. */
  readonly requestedAt: number;
  /** Absent while it goes on. */
  readonly finishedAt?: number;
  readonly taskCount: number;
}

/** One run as it is at `nowAt`. */
export interface Timeline extends RunSummary {
  readonly nowAt: number;
  /** In the order of the plan. */
  readonly rows: readonly TimelineRow[];
}

/** What has become of one task, from when the run was asked for. */
export interface TimelineRow {
  readonly id: string;
  readonly title: string;
  /** The oldest first; they do not overlap. */
  readonly spans: readonly TimelineSpan[];
  /** What happened at one moment, the oldest first. */
  readonly marks: readonly TimelineMark[];
}

export type TimelineSpan = {
  readonly from: number;
  /** Absent: it goes on. */
  readonly to?: number;
} & (
  | {
      readonly kind: 'waiting';
      readonly cause: WaitCause;
      /** The tasks or limits that it waits for, at most ten of them. */
      readonly names: readonly string[];
      /** How many more there are. */
      readonly more: number;
    }
  | {
      readonly kind: 'claimed' | 'running';
      readonly worker: string;
      readonly attempt: number;
      /** Absent while it goes on, and of a claim that came to run. */
      readonly end?: SpanEnd;
      /** A clause that says more of its end: `exit code 3`. */
      readonly detail: string;
    }
  | { readonly kind: 'attention'; readonly detail: string }
);

/**
 * Why a task did not start. `dependencies`, `files`, `backoff`, `paused`, `limits` and `parallel` are
 * what the ledger says was in the way; `turn` is all else: nothing of the run was, so it was the turn
 * of others, or somebody had to claim it.
 */
export type WaitCause =
  | 'dependencies'
  | 'files'
  | 'backoff'
  | 'paused'
  | 'limits'
  | 'parallel'
  | 'turn';

export type SpanEnd = 'completed' | 'failed' | 'cancelled' | 'lost' | 'released';

export interface TimelineMark {
  readonly at: number;
  readonly kind: 'skipped' | 'cancelled' | 'retried' | 'pause' | 'resume' | 'stop-asked' | 'asked';
  /** A clause that says more, or nothing. */
  readonly detail: string;
}

export type TimelineReply =
  | { readonly kind: 'timeline'; readonly timeline: Timeline }
  | { readonly kind: 'refused'; readonly message: string };

/** The rows that are others now, whole, and how the run stands. */
export interface TimelineChanged extends RunKey {
  readonly nowAt: number;
  readonly state: RunState;
  readonly finishedAt?: number;
  readonly rows: readonly TimelineRow[];
}
