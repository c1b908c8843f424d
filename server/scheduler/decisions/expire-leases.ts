import { backoffMs, LOSS_LIMIT } from '../../domain/failure/retry.ts';
import { type Instant, laterBy } from '../../domain/time.ts';
import type { TaskEntry } from '../model/run-model.ts';
import type { Turn } from '../predicate/turn.ts';

/** As many in one turn as are quickly written; the rest is next. */
const SWEEP_LIMIT = 100;

/** A lease is over when its deadline has come. That counts as an attempt that was lost. */
export function expireLeases(turn: Turn): void {
  const cursor = turn.board.claims.leases.cursor();
  for (let count = 0; count < SWEEP_LIMIT; count += 1) {
    const claim = cursor.next();
    const deadline = claim?.holder.expiresAt;
    if (claim === undefined || deadline === undefined || turn.now < deadline) return;
    const { entry, holder } = claim;
    if (turn.isDecided(entry)) continue;
    turn.decide(entry, {
      kind: 'expire',
      term: holder.term,
      cause: 'lease-expired',
      deadline,
      losses: entry.state.tries.losses + 1,
      ...retryAfterLoss(entry, turn.now),
    });
  }
}

/** When a lost attempt is made good, or nothing where it was lost too often. */
export function retryAfterLoss(
  { run, id, asks, state }: TaskEntry,
  now: Instant,
): { readonly retryAt?: Instant } {
  const losses = state.tries.losses + 1;
  if (losses >= LOSS_LIMIT) return {};
  const key = `${run.manifest.id}/${id}:${state.tries.revision}:lost`;
  return { retryAt: laterBy(now, backoffMs(asks.retry, losses, key)) };
}
