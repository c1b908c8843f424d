import { assert } from '../domain/assert.ts';
import type { PathRules } from '../domain/paths/overlap.ts';
import type { Instant } from '../domain/time.ts';
import { BoardModel } from '../scheduler/model/board-model.ts';
import { boardEventOf, type Decision } from '../scheduler/decision.ts';
import type { CommittedDecision } from './ports.ts';

/** Nobody measures the load yet, and a long plan alone is none. */
const NO_LOAD = { queueLimit: Number.POSITIVE_INFINITY, memory: 0, cpu: 0 };

export function emptyBoard(rules: PathRules): BoardModel {
  const board = new BoardModel(rules);
  board.load = NO_LOAD;
  return board;
}

/** What the store has just made of a decision, made of the board in memory too. */
export function applyCommitted(board: BoardModel, decision: CommittedDecision, now: Instant): void {
  const state = 'task' in decision ? board.find(decision.run, decision.task)?.state : undefined;
  const mintTerm = (): number => (decision.kind === 'claim' ? decision.term : 0);
  const event = boardEventOf(decision, state, { now, mintTerm });
  const isApplied = event !== undefined && board.apply(event) === 'moved';
  assert(isApplied, 'the board in memory is the board of the store');
}

/**
 * The process that holds the lock is the only one that runs these tasks, and the claims of a dead one
 * are taken back when the lock is. So nothing has to be renewed; leases come with the coordinator.
 */
export function withoutLease(decision: Decision): Decision {
  if (decision.kind !== 'claim') return decision;
  const { expiresAt: _, ...claim } = decision;
  return claim;
}
