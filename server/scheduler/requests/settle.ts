import { boundedLease, firstLimitMs, isPushed, lastLimitMs } from '../../domain/asks.ts';
import { unreachable } from '../../domain/assert.ts';
import type { RunId, TaskId } from '../../domain/ids.ts';
import { timeoutFactor } from '../../domain/failure/load.ts';
import { backoffMs, mayRetry } from '../../domain/failure/retry.ts';
import type {
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
import type { TaskEntry } from '../model/run-model.ts';

/** Whoever holds a task says something about it; the term tells which claim is meant. */
export interface HolderRequest {
  readonly run: RunId;
  readonly task: TaskId;
  readonly term: number;
  readonly says: Saying;
}

export type Saying =
  | { readonly kind: 'started'; readonly process?: ProcessIdentity }
  | { readonly kind: 'renew'; readonly leaseMs?: number }
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
  | { readonly kind: 'accepted'; readonly events: readonly BoardEvent[] }
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
  { run, task, term, says }: HolderRequest,
  clock: Instant,
): HolderAnswer {
  const now = board.timeAt(clock);
  const entry = board.find(run, task);
  const holder = entry?.claim?.holder;
  if (entry === undefined || holder === undefined || holder.term !== term)
    return { kind: 'stale', currentTerm: holder?.term };
  if (isOver(holder.expiresAt, now)) return { kind: 'stale', currentTerm: undefined };
  if (says.kind === 'renew' && takesTooLong({ entry, holder, now }, board))
    return { kind: 'stale', currentTerm: term };
  const events = eventsOf({ entry, holder, now }, says).map((event): BoardEvent => ({
    kind: 'taskMoved',
    run,
    task,
    event,
  }));
  const { doer } = entry.asks;
  if (says.kind === 'rate-limited' && doer.kind === 'started-agent') {
    const { retryAfterMs } = says;
    const limited = { kind: 'agentLimited', at: now, agent: doer.agent } as const;
    events.push(retryAfterMs === undefined ? limited : { ...limited, retryAfterMs });
  }
  return { kind: 'accepted', events };
}

interface Said {
  readonly entry: TaskEntry;
  readonly holder: HolderState;
  readonly now: Instant;
}

function eventsOf({ entry, holder, now: at }: Said, says: Saying): readonly TaskEvent[] {
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

function loss({ entry, holder, now: at }: Said, cause: LossCause): TaskEvent {
  return { kind: 'taskLost', term: holder.term, at, cause, ...retryAfterLoss(entry, at) };
}
