import { isCalm, loadMode } from '../../domain/failure/load.ts';
import type { Turn } from '../predicate/turn.ts';

/** The more waits and the scarcer the machine gets, the less this turn and the next ones take on. */
export function changeLoad(turn: Turn): void {
  const { mode: from, load, ready } = turn.board;
  const queued = ready.size;
  if (from === 'normal' && isCalm(queued, load)) return;
  const reading = { queued, ...load };
  turn.mode = loadMode(from, reading);
  const number = turn.board.loadChanges + 1;
  if (turn.mode !== from)
    turn.decisions.push({ kind: 'change-load', number, from, mode: turn.mode, reading });
}
