import { unreachable } from './assert.ts';
import type { TaskId } from './ids.ts';
import type { Instant } from './time.ts';

/** What a plan says of one task, after every mistake has been reported and left out. */
export interface TaskDefinition {
  readonly id: TaskId;
  readonly title: string;
  readonly command: Command;
  /** Relative to the workspace folder, with `/`; empty is the folder itself. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** These must complete first. */
  readonly dependsOn: readonly TaskId[];
  /** These must merely finish first. */
  readonly after: readonly TaskId[];
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

export type Command =
  | { readonly kind: 'shell'; readonly script: string }
  | { readonly kind: 'program'; readonly file: string; readonly args: readonly string[] };

/**
 * One task in one run.
 *
 *     pending ──claimed──▶ claimed ──started──▶ running ──▶ completed
 *        ▲                    │                    ├──────▶ failed
 *        └──── released ──────┴────────────────────┘
 *     pending ──skipped──▶ skipped
 *     pending, claimed, running ──cancelled──▶ cancelled
 *
 * Invariant: `completed`, `failed`, `skipped` and `cancelled` are final; nothing leaves them.
 * `term` is minted by the store with every claim. An event that carries an older term comes from a
 * claim that is already lost, and is refused.
 */
export type TaskState =
  | { readonly kind: 'pending'; readonly attempts: number; readonly releasedFor?: ReleaseReason }
  | {
      readonly kind: 'claimed';
      readonly attempts: number;
      readonly term: number;
      readonly claimedAt: Instant;
    }
  | {
      readonly kind: 'running';
      readonly attempts: number;
      readonly term: number;
      readonly startedAt: Instant;
      readonly process: ProcessIdentity;
    }
  | ({ readonly kind: 'completed'; readonly attempts: number } & Span)
  | ({ readonly kind: 'failed'; readonly attempts: number; readonly failure: Failure } & Span)
  | { readonly kind: 'cancelled'; readonly attempts: number; readonly finishedAt: Instant }
  | { readonly kind: 'skipped'; readonly because: TaskId; readonly finishedAt: Instant };

interface Span {
  /** Equal to `finishedAt` when the command never started. */
  readonly startedAt: Instant;
  readonly finishedAt: Instant;
}

/** A pid alone is reused by the system; the three together name one process for ever. */
export interface ProcessIdentity {
  readonly bootId: string;
  readonly pid: number;
  readonly startTime: string;
}

export type Failure =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }
  | { readonly kind: 'not-started'; readonly message: string };

/** Why a claim was given back without a result. */
export type ReleaseReason = 'shutdown' | 'lost';

export type TaskEvent =
  | { readonly kind: 'taskClaimed'; readonly term: number; readonly at: Instant }
  | {
      readonly kind: 'taskStarted';
      readonly term: number;
      readonly at: Instant;
      readonly process: ProcessIdentity;
    }
  | { readonly kind: 'taskCompleted'; readonly term: number; readonly at: Instant }
  | {
      readonly kind: 'taskFailed';
      readonly term: number;
      readonly at: Instant;
      readonly failure: Failure;
    }
  | {
      readonly kind: 'taskReleased';
      readonly term: number;
      readonly at: Instant;
      readonly reason: ReleaseReason;
    }
  | { readonly kind: 'taskCancelled'; readonly at: Instant }
  | { readonly kind: 'taskSkipped'; readonly at: Instant; readonly because: TaskId };

export type Transition =
  | { readonly kind: 'moved'; readonly state: TaskState }
  | { readonly kind: 'refused'; readonly why: 'final' | 'stale' | 'out-of-order' };

export const NEW_TASK: TaskState = { kind: 'pending', attempts: 0 };

/** The one place where a task changes state: the first final state wins, later events are refused. */
export function transition(state: TaskState, event: TaskEvent): Transition {
  if (isFinal(state)) return { kind: 'refused', why: 'final' };
  if (event.kind === 'taskCancelled')
    return moved({ kind: 'cancelled', attempts: state.attempts, finishedAt: event.at });
  if (event.kind === 'taskSkipped' || event.kind === 'taskClaimed') {
    if (state.kind !== 'pending') return { kind: 'refused', why: 'out-of-order' };
    if (event.kind === 'taskSkipped')
      return moved({ kind: 'skipped', because: event.because, finishedAt: event.at });
    const attempts = state.attempts + 1;
    return moved({ kind: 'claimed', attempts, term: event.term, claimedAt: event.at });
  }
  if (state.kind === 'pending' || state.term !== event.term)
    return { kind: 'refused', why: 'stale' };
  return transitionOfHolder(state, event);
}

type HeldState = Extract<TaskState, { kind: 'claimed' | 'running' }>;
type HolderEvent = Exclude<TaskEvent, { kind: 'taskCancelled' | 'taskSkipped' | 'taskClaimed' }>;

/** What the holder of the current term may say. */
function transitionOfHolder(state: HeldState, event: HolderEvent): Transition {
  const { attempts } = state;
  const startedAt = state.kind === 'running' ? state.startedAt : event.at;
  switch (event.kind) {
    case 'taskStarted':
      if (state.kind === 'running') return { kind: 'refused', why: 'out-of-order' };
      return moved({
        kind: 'running',
        attempts,
        term: event.term,
        startedAt: event.at,
        process: event.process,
      });
    case 'taskCompleted':
      return moved({ kind: 'completed', attempts, startedAt, finishedAt: event.at });
    case 'taskFailed':
      return moved({
        kind: 'failed',
        attempts,
        startedAt,
        finishedAt: event.at,
        failure: event.failure,
      });
    case 'taskReleased':
      return moved({ kind: 'pending', attempts, releasedFor: event.reason });
    default:
      return unreachable(event);
  }
}

type FinalState = Extract<TaskState, { kind: 'completed' | 'failed' | 'cancelled' | 'skipped' }>;

export function isFinal(state: TaskState): state is FinalState {
  switch (state.kind) {
    case 'completed':
    case 'failed':
    case 'cancelled':
    case 'skipped':
      return true;
    case 'pending':
    case 'claimed':
    case 'running':
      return false;
    default:
      return unreachable(state);
  }
}

/** Somebody holds the task now, so its paths are owned and it takes a place among the parallel ones. */
export function isHeld(state: TaskState): state is HeldState {
  return state.kind === 'claimed' || state.kind === 'running';
}

function moved(state: TaskState): Transition {
  return { kind: 'moved', state };
}
