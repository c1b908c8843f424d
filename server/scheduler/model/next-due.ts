import type { Breaker } from '../../domain/failure/circuit-breaker.ts';
import { timeoutFactor } from '../../domain/failure/load.ts';
import { type Instant, instant } from '../../domain/time.ts';
import type { BoardModel } from './board-model.ts';
import { NEVER } from './claim-table.ts';
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

/** When a holder takes longer than expected, the start that was kept for who waits for it is given up. */
function nextOverrunAt({ claims, ready, now }: BoardModel): number {
  let at: number = NEVER;
  if (ready.size === 0) return at;
  for (const { holder, entry } of claims.pushed) {
    const { expectedMs } = entry.asks;
    if (expectedMs === undefined) continue;
    const since = holder.kind === 'running' ? holder.startedAt : holder.claimedAt;
    // Only once it is over does it count as longer.
    const overrunAt = since + expectedMs + 1;
    if (overrunAt > now) at = Math.min(at, overrunAt);
  }
  return at;
}

function changesAt(breaker: Breaker): Instant | undefined {
  if (breaker.kind === 'open') return breaker.until;
  if (breaker.kind === 'closed') return undefined;
  const dues = breaker.trials.filter(({ outcome }) => outcome === 'pending');
  return dues.length === 0 ? undefined : instant(Math.min(...dues.map(({ dueAt }) => dueAt)));
}
