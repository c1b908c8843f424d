import { unreachable } from './assert.ts';
import type { TaskAsks } from './asks.ts';
import type { TaskId, WorkerId } from './ids.ts';
import type { Instant } from './time.ts';

/** What a plan says of one task, after every mistake has been reported and left out. */
export interface TaskDefinition {
  readonly id: TaskId;
  readonly title: string;
  /** Absent: some worker claims it. */
  readonly command: Command | undefined;
  /** Relative to the workspace folder, with `/`; empty is the folder itself. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** These must complete first. */
  readonly dependsOn: readonly TaskId[];
  /** These must merely finish first. */
  readonly after: readonly TaskId[];
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** What it asks of the scheduler; what is left out is as for any other task. */
  readonly asks?: Partial<TaskAsks>;
}

export type Command =
  | { readonly kind: 'shell'; readonly script: string }
  | { readonly kind: 'program'; readonly file: string; readonly args: readonly string[] };

/**
 * One task in one run.
 *
 *     pending ──claimed──▶ claimed ──started──▶ running ──▶ completed
 *        ▲                    │                    ├──────▶ failed
 *        │                    │                    └──────▶ cancelled   (from any that is not final)
 *        ├◀─ released, lost, failed with a retry ──┘
 *        ├──skipped──▶ skipped ──revived──▶ pending
 *        └──flagged──▶ attention ──answered, retried──▶ pending
 *
 *     completed, failed, cancelled, skipped ──retried by a person──▶ pending, next revision
 *
 * A running task that is flagged keeps its holder: its progress or its end clears the flag.
 *
 * Invariant: the first final state wins. Only a person's retry, or a dependency that runs again,
 * leaves one, and both open a new revision.
 * `term` is minted by the store with every claim. An event that carries an older term comes from a
 * claim that is already lost, and is refused.
 */
export type TaskState =
  | PendingState
  | HolderState
  | {
      readonly kind: 'attention';
      readonly tries: Tries;
      readonly why: AttentionCause;
      readonly since: Instant;
      /** The claim goes on while somebody looks. */
      readonly holder: RunningState | undefined;
    }
  | ({ readonly kind: 'completed' } & Span)
  | ({ readonly kind: 'failed'; readonly failure: Failure } & Span)
  | { readonly kind: 'cancelled'; readonly tries: Tries; readonly finishedAt: Instant }
  | {
      readonly kind: 'skipped';
      readonly tries: Tries;
      readonly because: TaskId;
      readonly finishedAt: Instant;
    };

export interface PendingState {
  readonly kind: 'pending';
  readonly tries: Tries;
  readonly releasedFor?: ReleaseReason;
  /** The end of its backoff. */
  readonly notBefore?: Instant;
}

interface ClaimedState extends Hold {
  readonly kind: 'claimed';
  readonly claimedAt: Instant;
}

export interface RunningState extends Hold {
  readonly kind: 'running';
  readonly startedAt: Instant;
  /** Only commands have one; an agent or a person works out of our sight. */
  readonly process?: ProcessIdentity;
}

export type HolderState = ClaimedState | RunningState;

interface Hold {
  readonly tries: Tries;
  readonly term: number;
  readonly worker: WorkerId;
  /** Absent: until released. */
  readonly expiresAt?: Instant;
  /** How long it was given last; a renewal that says nothing gives as long again. */
  readonly leaseMs?: number;
  /** How far its end has been asked for. */
  readonly stop?: StopRequest;
  /** How its command says that it ends; it counts once the process has ended. */
  readonly ending?: Ending;
  /** The connection that renewed the claim was closed. Any renewal clears this. */
  readonly left?: Departure;
}

/** Whether the agent behind a closed connection is known to have ended, or may still be at work. */
export type Departure = 'ended' | 'unknown';

/** How often a task was tried. */
export interface Tries {
  /** Grows when the task begins anew: retried, answered, revived, or changed in its plan. */
  readonly revision: number;
  /** Claims in this revision; the current attempt has this number. */
  readonly attempts: number;
  /** Attempts whose command failed. */
  readonly failures: number;
  /** Attempts that were lost: lease, host, start, or our own kill. */
  readonly losses: number;
  /** Attempts whose command asked to be tried again later. Absent: none. */
  readonly releases?: number;
}

export interface StopRequest {
  readonly why: StopCause;
  readonly signal: 'terminate' | 'kill';
  readonly at: Instant;
}

export type StopCause = 'cancelled' | 'timeout' | 'retried';

/** What the command of a task says, while it runs, of how its attempt is to end. */
export type Ending =
  | { readonly kind: 'completed' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** It wants to be tried again later. */
  | { readonly kind: 'released' }
  | { readonly kind: 'rate-limited' }
  | { readonly kind: 'asked' };

interface Span {
  readonly tries: Tries;
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
  /** The message is what whoever worked on it says of it. */
  | { readonly kind: 'exit'; readonly code: number; readonly message?: string }
  | { readonly kind: 'signal'; readonly signal: string }
  | { readonly kind: 'timeout'; readonly limitMs: number }
  /** It never will be, however often it is tried; what may pass is a loss. */
  | { readonly kind: 'not-started'; readonly message: string };

/** Why a claim was given back without a result. */
export type ReleaseReason = 'shutdown' | 'lost' | 'released';

/** Why an attempt ended without anybody being able to say how. */
export type LossCause = 'lease-expired' | 'host-lost' | 'not-started' | 'killed' | 'agent-ended';

/** What a person has to look at. */
export type AttentionCause = 'stuck' | 'poisoned' | 'starved' | 'asked';

export type TaskEvent = HolderEvent | OtherEvent;

/** What happens to a claim; each names its term. */
export type HolderEvent =
  | {
      readonly kind: 'taskStarted';
      readonly term: number;
      readonly at: Instant;
      readonly process?: ProcessIdentity;
    }
  | {
      readonly kind: 'leaseRenewed';
      readonly term: number;
      readonly at: Instant;
      readonly expiresAt: Instant;
    }
  | {
      readonly kind: 'stopAsked';
      readonly term: number;
      readonly at: Instant;
      readonly why: StopCause;
      readonly signal: StopRequest['signal'];
    }
  /** Its command has said how it is to end. The last word counts. */
  | {
      readonly kind: 'endAnnounced';
      readonly term: number;
      readonly at: Instant;
      readonly ending: Ending;
    }
  /** The connection that renewed the claim was closed: unless it is renewed, its lease ends early. */
  | {
      readonly kind: 'holderLeft';
      readonly term: number;
      readonly at: Instant;
      readonly expiresAt: Instant;
      readonly left: Departure;
    }
  | { readonly kind: 'taskCompleted'; readonly term: number; readonly at: Instant }
  | {
      readonly kind: 'taskFailed';
      readonly term: number;
      readonly at: Instant;
      readonly failure: Failure;
      /** When it runs again, where it may. */
      readonly retryAt?: Instant;
    }
  | {
      readonly kind: 'taskLost';
      readonly term: number;
      readonly at: Instant;
      readonly cause: LossCause;
      /** Absent: it was lost too often, and waits for a person. */
      readonly retryAt?: Instant;
    }
  | {
      readonly kind: 'taskReleased';
      readonly term: number;
      readonly at: Instant;
      readonly reason: ReleaseReason;
      /** Its command asked to be tried again later: then. */
      readonly retryAt?: Instant;
    }
  | { readonly kind: 'taskAsked'; readonly term: number; readonly at: Instant }
  | { readonly kind: 'taskStuck'; readonly term: number; readonly at: Instant }
  | { readonly kind: 'taskProgressed'; readonly term: number; readonly at: Instant };

type OtherEvent =
  | {
      readonly kind: 'taskClaimed';
      readonly term: number;
      readonly at: Instant;
      readonly worker: WorkerId;
      readonly expiresAt?: Instant;
    }
  | { readonly kind: 'taskCancelled'; readonly at: Instant }
  | { readonly kind: 'taskSkipped'; readonly at: Instant; readonly because: TaskId }
  | { readonly kind: 'taskRevived'; readonly at: Instant }
  | { readonly kind: 'taskFlagged'; readonly at: Instant; readonly why: AttentionCause }
  /** A person wants it run again, or has answered what it asked. */
  | { readonly kind: 'taskRetried'; readonly at: Instant };

export type Transition =
  | { readonly kind: 'moved'; readonly state: TaskState }
  | { readonly kind: 'refused'; readonly why: 'final' | 'stale' | 'out-of-order' };

const NO_TRIES: Tries = { revision: 1, attempts: 0, failures: 0, losses: 0 };

export const NEW_TASK: PendingState = { kind: 'pending', tries: NO_TRIES };

const FINAL: Transition = { kind: 'refused', why: 'final' };
const STALE: Transition = { kind: 'refused', why: 'stale' };
const OUT_OF_ORDER: Transition = { kind: 'refused', why: 'out-of-order' };

/** The one place where a task changes state: the first final state wins, later events are refused. */
export function transition(state: TaskState, event: TaskEvent): Transition {
  switch (event.kind) {
    case 'taskClaimed':
      return claimed(state, event);
    case 'taskCancelled':
      if (isFinal(state)) return FINAL;
      return moved({ kind: 'cancelled', tries: state.tries, finishedAt: event.at });
    case 'taskSkipped': {
      if (state.kind !== 'pending') return isFinal(state) ? FINAL : OUT_OF_ORDER;
      const { at: finishedAt, because } = event;
      return moved({ kind: 'skipped', tries: state.tries, because, finishedAt });
    }
    case 'taskRevived':
      return state.kind === 'skipped' ? moved(begunAnew(state.tries)) : OUT_OF_ORDER;
    case 'taskFlagged': {
      if (state.kind !== 'pending') return isFinal(state) ? FINAL : OUT_OF_ORDER;
      const { why, at: since } = event;
      return moved({ kind: 'attention', tries: state.tries, why, since, holder: undefined });
    }
    case 'taskRetried':
      return mayBeginAnew(state) ? moved(begunAnew(state.tries)) : OUT_OF_ORDER;
    default:
      return transitionOfHolder(state, event);
  }
}

function claimed(state: TaskState, event: Extract<TaskEvent, { kind: 'taskClaimed' }>): Transition {
  if (state.kind !== 'pending') return isFinal(state) ? FINAL : OUT_OF_ORDER;
  const tries = { ...state.tries, attempts: state.tries.attempts + 1 };
  const { term, worker, at: claimedAt, expiresAt } = event;
  if (expiresAt === undefined) return moved({ kind: 'claimed', tries, term, worker, claimedAt });
  const leaseMs = expiresAt - claimedAt;
  return moved({ kind: 'claimed', tries, term, worker, claimedAt, expiresAt, leaseMs });
}

/** What the holder of the current term may say, and what may be said of it. */
function transitionOfHolder(state: TaskState, event: HolderEvent): Transition {
  if (isFinal(state)) return FINAL;
  const holder = holderOf(state);
  if (holder === undefined || holder.term !== event.term) return STALE;
  const { tries } = holder;
  const startedAt = holder.kind === 'running' ? holder.startedAt : event.at;
  switch (event.kind) {
    case 'taskStarted':
      return holder.kind === 'running' ? OUT_OF_ORDER : moved(started(holder, event));
    case 'leaseRenewed':
      return moved(heldOn(state, renewed(holder, event)));
    case 'stopAsked': {
      const { why, signal } = event;
      // Another reason to end it does not give it its grace again.
      const at = holder.stop?.signal === signal ? holder.stop.at : event.at;
      return moved(heldOn(state, { ...holder, stop: { why, signal, at } }));
    }
    case 'endAnnounced':
      return moved(heldOn(state, { ...holder, ending: event.ending }));
    case 'holderLeft': {
      const { expiresAt, left } = event;
      return moved(heldOn(state, { ...holder, expiresAt, left }));
    }
    case 'taskProgressed':
      return moved(holder);
    case 'taskStuck':
      if (holder.kind !== 'running' || state.kind === 'attention') return OUT_OF_ORDER;
      return moved({ kind: 'attention', tries, why: 'stuck', since: event.at, holder });
    case 'taskCompleted': {
      // Whoever never said that it begins has begun with its claim.
      const since = holder.kind === 'claimed' ? holder.claimedAt : startedAt;
      return moved({ kind: 'completed', tries, startedAt: since, finishedAt: event.at });
    }
    case 'taskFailed':
      return moved(failed({ tries, startedAt }, event));
    case 'taskLost':
      return moved(lost(holder, event));
    case 'taskReleased':
      if (holder.stop?.why === 'retried') return moved(begunAnew(tries));
      return moved(released(tries, event));
    case 'taskAsked':
      return moved({ kind: 'attention', tries, why: 'asked', since: event.at, holder: undefined });
    default:
      return unreachable(event);
  }
}

function renewed(
  holder: HolderState,
  { at, expiresAt }: Extract<HolderEvent, { kind: 'leaseRenewed' }>,
): HolderState {
  const { left: _, ...here } = holder;
  return { ...here, expiresAt, leaseMs: expiresAt - at };
}

function started(
  { tries, term, worker, expiresAt, leaseMs, stop, ending, left }: ClaimedState,
  { at: startedAt, process }: Extract<HolderEvent, { kind: 'taskStarted' }>,
): RunningState {
  const running: RunningState =
    expiresAt === undefined || leaseMs === undefined
      ? { kind: 'running', tries, term, worker, startedAt }
      : { kind: 'running', tries, term, worker, startedAt, expiresAt, leaseMs };
  const isPlain = process === undefined && stop === undefined && ending === undefined;
  if (isPlain && left === undefined) return running;
  return {
    ...running,
    ...(process !== undefined && { process }),
    ...(stop !== undefined && { stop }),
    ...(ending !== undefined && { ending }),
    ...(left !== undefined && { left }),
  };
}

/** A change of the holder leaves the flag on the task that it holds. */
function heldOn(state: TaskState, holder: HolderState): TaskState {
  return state.kind === 'attention' && holder.kind === 'running' ? { ...state, holder } : holder;
}

function released(
  tries: Tries,
  { reason, retryAt }: Extract<HolderEvent, { kind: 'taskReleased' }>,
): PendingState {
  if (retryAt === undefined) return { kind: 'pending', tries, releasedFor: reason };
  const counted = { ...tries, releases: (tries.releases ?? 0) + 1 };
  return { kind: 'pending', tries: counted, releasedFor: reason, notBefore: retryAt };
}

function failed(
  { tries: before, startedAt }: { tries: Tries; startedAt: Instant },
  { at, failure, retryAt }: Extract<HolderEvent, { kind: 'taskFailed' }>,
): TaskState {
  const tries = { ...before, failures: before.failures + 1 };
  if (retryAt !== undefined) return { kind: 'pending', tries, notBefore: retryAt };
  return { kind: 'failed', tries, startedAt, finishedAt: at, failure };
}

/** What a person wanted of it happens, though nobody saw it end. */
function lost(
  { tries: before, stop }: HolderState,
  { at, retryAt }: Extract<HolderEvent, { kind: 'taskLost' }>,
): TaskState {
  const tries = { ...before, losses: before.losses + 1 };
  if (stop?.why === 'cancelled') return { kind: 'cancelled', tries, finishedAt: at };
  if (stop?.why === 'retried') return begunAnew(before);
  if (retryAt !== undefined)
    return { kind: 'pending', tries, releasedFor: 'lost', notBefore: retryAt };
  return { kind: 'attention', tries, why: 'poisoned', since: at, holder: undefined };
}

/** Whoever holds it is stopped first; of a pending task only the backoff can be ended. */
function mayBeginAnew(state: TaskState): boolean {
  if (state.kind === 'pending') return state.notBefore !== undefined;
  return holderOf(state) === undefined;
}

function begunAnew({ revision }: Tries): PendingState {
  return {
    kind: 'pending',
    tries: { revision: revision + 1, attempts: 0, failures: 0, losses: 0 },
  };
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
    case 'attention':
      return false;
    default:
      return unreachable(state);
  }
}

/** The claim that somebody has now: its paths are owned, and it takes a place and its resources. */
export function holderOf(state: TaskState): HolderState | undefined {
  if (state.kind === 'running' || state.kind === 'claimed') return state;
  return state.kind === 'attention' ? state.holder : undefined;
}

function moved(state: TaskState): Transition {
  return { kind: 'moved', state };
}
