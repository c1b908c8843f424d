import { isOver } from '../../domain/time.ts';
import { retryAfterLoss } from '../model/loss.ts';
import type { Turn } from '../predicate/turn.ts';

/** As many in one turn as are quickly written; the rest is next. */
const SWEEP_LIMIT = 100;

/** A lease is over when its deadline has come. That counts as an attempt that was lost. */
export function expireLeases(turn: Turn): void {
  const { leases } = turn.board.claims;
  if (!isOver(leases.peek()?.holder.expiresAt, turn.now)) return;
  const cursor = leases.cursor();
  for (let count = 0; count < SWEEP_LIMIT; count += 1) {
    const claim = cursor.next();
    const deadline = claim?.holder.expiresAt;
    if (claim === undefined || deadline === undefined || !isOver(deadline, turn.now)) return;
    const { entry, holder } = claim;
    if (turn.isDecided(entry)) continue;
    turn.decide(entry, {
      kind: 'expire',
      term: holder.term,
      cause: holder.left === 'ended' ? 'agent-ended' : 'lease-expired',
      deadline,
      losses: entry.state.tries.losses + 1,
      ...retryAfterLoss(entry, turn.now),
    });
  }
}
