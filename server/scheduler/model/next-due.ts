import type { Breaker } from '../../domain/failure/circuit-breaker.ts';
import { timeoutFactor } from '../../domain/failure/load.ts';
import { type Instant, instant, NEVER } from '../../domain/time.ts';
import type { BoardModel } from './board-model.ts';
import type { TaskEntry } from './run-model.ts';
import { LATE_MS, OVERDUE_MS, PATIENCE_MS } from './late.ts';
import { nextSignal } from './stop-signals.ts';

/**
 * When there is something to decide though nothing has happened. Whoever drives the board sleeps
 * until then; `undefined` is until the next event.
 */
export function nextDueAt(board: BoardModel): Instant | undefined {
  const { ready, claims, owners, workers, now } = board;
  let at = Math.min(
    ready.nextDueAt(),
    claims.leases.peek()?.holder.expiresAt ?? NEVER,
    nextLimitAt(board),
    owners.nextDueAt(),
    board.nextCycleAt,
    nextOverrunAt(board),
    nextOverdueAt(board),
  );
  const later = (due: number | undefined): void => {
    if (due !== undefined && due > now) at = Math.min(at, due);
  };
  for (const { breaker } of workers.places.values()) later(changesAt(breaker));
  for (const { breaker, coolDown } of workers.agents.values()) {
    later(changesAt(breaker));
    later(coolDown?.until);
  }
  return at >= NEVER ? undefined : instant(at);
}

/** Under load, limits are later than the queue of them says, and in another order. */
function nextLimitAt({ claims, mode }: BoardModel): number {
  const factor = timeoutFactor(mode);
  if (factor === 1) return claims.limits.peek()?.at ?? NEVER;
  let at: number = NEVER;
  for (const { claim } of claims.limits.inOrder()) {
    const { holder, entry } = claim;
    at = Math.min(at, nextSignal(holder, entry.asks.timeout, factor)?.at ?? NEVER);
  }
  return at;
}

/** When a start that was kept is given up, because a holder takes longer than expected, or far longer. */
function nextOverrunAt({ claims, ready, now }: BoardModel): number {
  let at: number = NEVER;
  if (ready.size === 0) return at;
  for (const { holder, entry } of [...claims.pushed, ...claims.pulled]) {
    const since = holder.kind === 'running' ? holder.startedAt : holder.claimedAt;
    const expectedAt = since + (entry.asks.expectedMs ?? 0);
    // Only once it is over does it count as longer.
    for (const due of [expectedAt + 1, expectedAt + LATE_MS]) if (due > now) at = Math.min(at, due);
  }
  return at;
}

/** From then on a task is not overtaken any more, or not even where others are far too late. */
function nextOverdueAt({ ready, now }: BoardModel): number {
  let at: number = NEVER;
  for (const lanes of [...ready.pushLanes, ready.pullLanes])
    for (const { keepsAge, oldest } of lanes)
      if (keepsAge && oldest !== undefined) at = Math.min(at, nextStepOf(oldest, now));
  return at;
}

function nextStepOf({ readySince }: TaskEntry, now: Instant): number {
  if (readySince + OVERDUE_MS > now) return readySince + OVERDUE_MS;
  return readySince + PATIENCE_MS > now ? readySince + PATIENCE_MS : NEVER;
}

function changesAt(breaker: Breaker): Instant | undefined {
  if (breaker.kind === 'open') return breaker.until;
  if (breaker.kind === 'closed') return undefined;
  const dues = breaker.trials.filter(({ outcome }) => outcome === 'pending');
  return dues.length === 0 ? undefined : instant(Math.min(...dues.map(({ dueAt }) => dueAt)));
}
