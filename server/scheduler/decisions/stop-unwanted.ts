import { canBeStopped } from '../../domain/asks.ts';
import { timeoutFactor } from '../../domain/failure/load.ts';
import { isOver } from '../../domain/time.ts';
import type { TaskDecision } from '../decision.ts';
import type { Claim, RunModel } from '../model/run-model.ts';
import { nextSignal } from '../model/stop-signals.ts';
import type { Turn } from '../predicate/turn.ts';

/** What nobody wants any more: tasks of a run that is stopped, or that ends at its first failure. */
export function cancelUnwanted(turn: Turn, run: RunModel): void {
  if (!run.hasEndedEarly || (run.isInterrupted && !run.isStopping)) return;
  cancelPending(turn, run);
  // After a failure, what runs may still end by itself.
  if (run.isStopping) stopHeld(turn, run);
}

function cancelPending(turn: Turn, run: RunModel): void {
  if (run.open === run.held) return;
  const why = run.isStopping ? 'stop-requested' : 'failure';
  for (const entry of run.entries) {
    const { kind } = entry.state;
    if (entry.claim !== undefined || (kind !== 'pending' && kind !== 'attention')) continue;
    if (!turn.isDecided(entry)) turn.decide(entry, { kind: 'cancel', why });
  }
}

/** Commands are asked to end. Whoever else claimed for itself hears of it when it next speaks to us. */
function stopHeld(turn: Turn, run: RunModel): void {
  for (const claim of turn.board.claims.ofRun(run)) {
    if (claim.holder.stop !== undefined) continue;
    if (canBeStopped(claim.entry.asks.doer))
      stop(turn, claim, { why: 'cancelled', signal: 'terminate', dueAt: turn.now });
    else turn.decide(claim.entry, { kind: 'cancel', why: 'stop-requested' });
  }
}

/** Signals that are due: the limits of a task, and the end of the grace that a stop gives. */
export function enforceLimits(turn: Turn): void {
  const { limits } = turn.board.claims;
  if (!isOver(limits.peek()?.at, turn.now)) return;
  const factor = timeoutFactor(turn.board.mode);
  const cursor = limits.cursor();
  for (let limit = cursor.next(); limit !== undefined; limit = cursor.next()) {
    if (limit.at > turn.now) return;
    const { claim } = limit;
    if (turn.isDecided(claim.entry)) continue;
    const due = nextSignal(claim.holder, claim.entry.asks.timeout, factor);
    // Under load it has more time than the queue of limits knows.
    if (due === undefined || due.at > turn.now) continue;
    const why = claim.holder.stop?.why ?? 'timeout';
    stop(turn, claim, { why, signal: due.signal, dueAt: due.at });
  }
}

function stop(
  turn: Turn,
  { entry, holder }: Claim,
  how: Pick<Extract<TaskDecision, { kind: 'stop' }>, 'why' | 'signal' | 'dueAt'>,
): void {
  turn.decide(entry, { kind: 'stop', term: holder.term, ...how });
}
