import type { Budget } from '../domain/paths/overlap.ts';
import type { Instant } from '../domain/time.ts';
import type { BoardModel } from './model/board-model.ts';
import { changeLoad } from './decisions/change-load.ts';
import { claimReady } from './decisions/claim-ready.ts';
import type { Decision } from './decision.ts';
import { expireLeases } from './decisions/expire-leases.ts';
import { finishRuns } from './decisions/finish-runs.ts';
import { keepStarts } from './decisions/keep-starts.ts';
import { reviveBehindRetries, skipBehindFailures } from './decisions/follow-failures.ts';
import { runPullCycle } from './decisions/pull-cycle.ts';
import { cancelUnwanted, enforceLimits } from './decisions/stop-unwanted.ts';
import { Turn } from './predicate/turn.ts';

/**
 * What is to be done now, with so many steps to compare globs, or as many as a turn may take. A function of its arguments and nothing else: no clock, no chance, no
 * memory, and no fact of the board changes. An operator's wish comes before what the scheduler would do.
 */
export function decide(board: BoardModel, now: Instant, steps?: Budget): readonly Decision[] {
  return decideTurn(board, now, steps).decisions;
}

/** The same, with what follows from it for whoever asks why something else is not to be done. */
export function decideTurn(board: BoardModel, now: Instant, steps?: Budget): Turn {
  const turn = decideStarts(board, now, steps);
  runPullCycle(turn);
  finishRuns(turn);
  return turn;
}

/** All but what keeps nobody from starting. */
export function decideStarts(board: BoardModel, now: Instant, steps?: Budget): Turn {
  board.advanceTo(now);
  const turn = new Turn(board, board.now, steps);
  for (const run of board.runs.values()) {
    skipBehindFailures(turn, run);
    cancelUnwanted(turn, run);
  }
  // Tasks of two runs may wait for each other: of those that are skipped now, no other run revives one.
  for (const run of board.runs.values()) reviveBehindRetries(turn, run);
  expireLeases(turn);
  enforceLimits(turn);
  changeLoad(turn);
  keepStarts(turn);
  // The board knows nothing yet of what is to wait again; the claims come right after it.
  if (!turn.takesBack) claimReady(turn);
  return turn;
}
