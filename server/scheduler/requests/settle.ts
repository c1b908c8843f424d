import {
  boundedLease,
  canBeStopped,
  firstLimitMs,
  isPushed,
  lastLimitMs,
} from '../../domain/asks.ts';
import { unreachable } from '../../domain/assert.ts';
import type { RunId, TaskId, WorkerId } from '../../domain/ids.ts';
import { timeoutFactor } from '../../domain/failure/load.ts';
import { backoffMs, LATER, mayRetry } from '../../domain/failure/retry.ts';
import type {
  Ending,
  Failure,
  HolderEvent,
  HolderState,
  LossCause,
  ProcessIdentity,
  TaskEvent,
} from '../../domain/task.ts';
import { type Instant, isOver, laterBy } from '../../domain/time.ts';
import type { BoardEvent } from '../model/board-event.ts';
import type { BoardModel } from '../model/board-model.ts';
import { retryAfterLoss } from '../model/loss.ts';
import type { Claim, TaskEntry } from '../model/run-model.ts';
import { isRunner, isSameWorker } from '../model/workers.ts';

/** The holder of a task says something about it; the term tells which claim is meant. */
export interface HolderRequest {
  readonly run: RunId;
  readonly task: TaskId;
  readonly term: number;
  readonly by: Speaker;
  readonly says: Saying;
}

/** Who speaks. A term is a small number that anybody can guess, so it proves nothing by itself. */
export type Speaker =
  /** A worker that claimed the task for itself. */
  | { readonly kind: 'worker'; readonly worker: WorkerId }
  /** The command of the task, which a runner or a terminal holds: it only says how it will end. */
  | { readonly kind: 'command' }
  /** A runner of ours, in the process that decides. No request from outside says this. */
  | { readonly kind: 'runner' };

export type Saying =
  | { readonly kind: 'started'; readonly process?: ProcessIdentity }
  /** Automatic: the agent's server sends it by itself, which does not show that the agent works. */
  | { readonly kind: 'renew'; readonly leaseMs?: number; readonly isAutomatic?: boolean }
  | { readonly kind: 'completed' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** Its attempt is over without a result, and it is not the command's fault. */
  | { readonly kind: 'lost'; readonly cause: LossCause }
  | { readonly kind: 'released'; readonly reason: 'released' | 'shutdown' | 'lost' }
  /** Its agent may not work for a while; the task has not failed. */
  | { readonly kind: 'rate-limited'; readonly retryAfterMs?: number }
  | { readonly kind: 'asked' }
  | { readonly kind: 'stuck' }
  | { readonly kind: 'progressed' };

export type HolderAnswer =
  | {
      readonly kind: 'accepted';
      readonly events: readonly BoardEvent[];
      /** It is recorded, and counts when the command has ended. */
      readonly isAnnounced?: true;
    }
  /** Somebody else holds the task under this term. */
  | { readonly kind: 'not-holder'; readonly holder: WorkerId }
  /**
   * The claim is over: it has ended, was lost, or somebody else has the task now. A renewal under
   * the current term comes too late for the limit of the task.
   */
  | { readonly kind: 'stale'; readonly currentTerm: number | undefined };

/**
 * What becomes of a task by the word of its holder. Only the current term counts, and only before
 * its deadline: a result that comes later is refused, whether or not anybody has noticed.
 */
export function answerHolder(
  board: BoardModel,
  { run, task, term, by, says: said }: HolderRequest,
  clock: Instant,
): HolderAnswer {
  const now = board.timeAt(clock);
  const entry = board.find(run, task);
  const claim = entry?.claim;
  const holder = claim?.holder;
  if (entry === undefined || claim === undefined || holder === undefined || holder.term !== term)
    return { kind: 'stale', currentTerm: holder?.term };
  if (!maySpeak(claim, by)) return { kind: 'not-holder', holder: holder.worker };
  if (isOver(holder.expiresAt, now)) return { kind: 'stale', currentTerm: undefined };
  if (by.kind === 'command') return announcement({ entry, holder, now }, said);
  const says = asAnnounced(said, holder);
  if (says.kind === 'renew' && takesTooLong({ entry, holder, now }, board))
    return { kind: 'stale', currentTerm: term };
  const events = eventsOf({ entry, holder, now }, says).map((event): BoardEvent => ({
    kind: 'taskMoved',
    run,
    task,
    event,
  }));
  return { kind: 'accepted', events: [...events, ...limitOf(entry, said, now)] };
}

/** Only the holder says what becomes of a task, and of one that a command does, the command how it ends. */
export function maySpeak({ entry, holder }: Claim, by: Speaker): boolean {
  switch (by.kind) {
    case 'worker':
      return !isRunner(holder.worker) && isSameWorker(by.worker, holder.worker);
    case 'command':
      return canBeStopped(entry.asks.doer);
    case 'runner':
      return isRunner(holder.worker);
    default:
      return unreachable(by);
  }
}

/**
 * The command is still at work: its paths stay its own until its process has ended. Of what only
 * the holder can know, such as that the attempt was lost, its word changes nothing.
 */
function announcement({ entry, holder, now: at }: Said, says: Saying): HolderAnswer {
  const which = { run: entry.run.manifest.id, task: entry.id };
  const ending = endingOf(says);
  if (ending === undefined) return { kind: 'accepted', events: [] };
  const event = { kind: 'endAnnounced', term: holder.term, at, ending } as const;
  return {
    kind: 'accepted',
    events: [{ kind: 'taskMoved', ...which, event }, ...limitOf(entry, says, at)],
    isAnnounced: true,
  };
}

/** An agent that may not work for a while is left alone from the moment it says so. */
function limitOf({ asks: { doer } }: TaskEntry, says: Saying, at: Instant): readonly BoardEvent[] {
  if (says.kind !== 'rate-limited' || doer.kind !== 'started-agent') return [];
  const { retryAfterMs } = says;
  const limited = { kind: 'agentLimited', at, agent: doer.agent } as const;
  return [retryAfterMs === undefined ? limited : { ...limited, retryAfterMs }];
}

function endingOf(says: Saying): Ending | undefined {
  switch (says.kind) {
    case 'completed':
    case 'failed':
    case 'asked':
      return says;
    case 'released':
    case 'rate-limited':
      return { kind: says.kind };
    case 'started':
    case 'renew':
    case 'lost':
    case 'stuck':
    case 'progressed':
      return undefined;
    default:
      return unreachable(says);
  }
}

type Settling = Saying | { readonly kind: 'later' };

/**
 * What an end means where the command has said before how it would end.
 *
 * | it said  | it ended well | it ended badly, by a signal too    |
 * | -------- | ------------- | ---------------------------------- |
 * | done     | completed     | failed, as it ended                |
 * | fail     | failed        | failed, as it said                 |
 * | release  | tried later   | tried later, unless it took too long |
 *
 * An attempt that was lost stays lost: nobody saw it end.
 */
function asAnnounced(says: Saying, { ending, stop }: HolderState): Settling {
  if (ending === undefined || (says.kind !== 'completed' && says.kind !== 'failed')) return says;
  switch (ending.kind) {
    case 'completed':
      return says;
    case 'released':
      return stop?.why === 'timeout' && says.kind === 'failed' ? says : { kind: 'later' };
    case 'failed':
    case 'rate-limited':
    case 'asked':
      return ending;
    default:
      return unreachable(ending);
  }
}

interface Said {
  readonly entry: TaskEntry;
  readonly holder: HolderState;
  readonly now: Instant;
}

function eventsOf({ entry, holder, now: at }: Said, says: Settling): readonly TaskEvent[] {
  const { term, stop } = holder;
  // Whatever else it says when it has ended, nobody wants it to run again.
  const cancelled: TaskEvent | undefined =
    stop?.why === 'cancelled' ? { kind: 'taskCancelled', at } : undefined;
  switch (says.kind) {
    case 'started': {
      const { process } = says;
      const event = { kind: 'taskStarted', term, at } as const;
      return holder.kind === 'running'
        ? []
        : [process === undefined ? event : { ...event, process }];
    }
    case 'renew':
      return renewal({ entry, holder, now: at }, says.leaseMs);
    case 'completed':
      return [{ kind: 'taskCompleted', term, at }];
    case 'failed':
      return [failure({ entry, holder, now: at }, says.failure)];
    case 'lost':
      return [loss({ entry, holder, now: at }, says.cause)];
    case 'released':
      return [cancelled ?? { kind: 'taskReleased', term, at, reason: says.reason }];
    case 'rate-limited':
      return [cancelled ?? { kind: 'taskReleased', term, at, reason: 'released' }];
    case 'later':
      return [cancelled ?? later({ entry, holder, now: at })];
    case 'asked':
      return [cancelled ?? { kind: 'taskAsked', term, at }];
    case 'stuck':
      return isAtWork(entry) ? [{ kind: 'taskStuck', term, at }] : [];
    case 'progressed':
      return entry.state.kind === 'attention' ? [{ kind: 'taskProgressed', term, at }] : [];
    default:
      return unreachable(says);
  }
}

function isAtWork({ state }: TaskEntry): boolean {
  return state.kind === 'running';
}

/** The first renewal confirms the claim: before it, whoever claimed for itself does nothing. */
function renewal({ entry, holder, now: at }: Said, leaseMs: number | undefined): HolderEvent[] {
  const { term } = holder;
  // Nothing said and nothing given: until released.
  const lease = leaseMs === undefined ? holder.leaseMs : boundedLease(leaseMs);
  const isFirst = holder.kind === 'claimed' && !isPushed(entry.asks.doer);
  const events: HolderEvent[] = isFirst ? [{ kind: 'taskStarted', term, at }] : [];
  if (lease !== undefined)
    events.push({ kind: 'leaseRenewed', term, at, expiresAt: laterBy(at, lease) });
  return events;
}

/**
 * Nobody can send a signal to whoever claimed for itself. Once its task takes too long its lease is
 * not renewed any more: it notices, or its lease ends. Nobody says that a person takes too long.
 */
function takesTooLong({ entry, holder, now }: Said, { workers, mode }: BoardModel): boolean {
  const { doer, timeout } = entry.asks;
  const limitMs = lastLimitMs(timeout);
  if (limitMs === undefined || holder.kind !== 'running') return false;
  const isAgent =
    workers.sessions.get(holder.worker)?.kind !== 'person' && holder.leaseMs !== undefined;
  const isBound = doer.kind === 'agent' || (doer.kind === 'anyone' && isAgent);
  return isBound && now >= laterBy(holder.startedAt, limitMs * timeoutFactor(mode));
}

/** The command has ended badly. Whatever we did to it ourselves is not held against it. */
function failure({ entry, holder, now: at }: Said, failed: Failure): TaskEvent {
  const { term, stop } = holder;
  const { run, id, asks, state } = entry;
  if (stop?.why === 'cancelled') return { kind: 'taskCancelled', at };
  if (stop?.why === 'retried') return { kind: 'taskReleased', term, at, reason: 'released' };
  const limitMs = firstLimitMs(asks.timeout);
  const isTimeout = stop?.why === 'timeout' && limitMs !== undefined;
  const what: Failure = isTimeout ? { kind: 'timeout', limitMs } : failed;
  const failures = state.tries.failures + 1;
  const exitCode = what.kind === 'exit' ? what.code : undefined;
  const event = { kind: 'taskFailed', term, at, failure: what } as const;
  if (what.kind === 'not-started' || !mayRetry(asks.retry, { failures, exitCode })) return event;
  const key = `${run.manifest.id}/${id}:${state.tries.revision}:failed`;
  return { ...event, retryAt: laterBy(at, backoffMs(asks.retry, failures, key)) };
}

/** EX_TEMPFAIL of sysexits.h: try again later. */
const TEMPORARY_FAILURE = 75;

/** Its command wants to be tried again later: it is, for a while. */
function later({ entry, holder, now: at }: Said): TaskEvent {
  const { run, id, state } = entry;
  const { term, stop } = holder;
  const reason = 'released';
  if (stop?.why === 'retried') return { kind: 'taskReleased', term, at, reason };
  const releases = (state.tries.releases ?? 0) + 1;
  if (releases >= LATER.attempts) {
    const message = `It asked ${releases} times to be tried again later.`;
    const tooOften = { kind: 'exit', code: TEMPORARY_FAILURE, message } as const;
    return { kind: 'taskFailed', term, at, failure: tooOften };
  }
  const key = `${run.manifest.id}/${id}:${state.tries.revision}:released`;
  return {
    kind: 'taskReleased',
    term,
    at,
    reason,
    retryAt: laterBy(at, backoffMs(LATER, releases, key)),
  };
}

function loss({ entry, holder, now: at }: Said, cause: LossCause): TaskEvent {
  return { kind: 'taskLost', term: holder.term, at, cause, ...retryAfterLoss(entry, at) };
}
