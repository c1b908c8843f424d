import type { RunOutcome } from '../../domain/run.ts';
import { isFinal } from '../../domain/task.ts';
import type { FinishDecision } from '../decision.ts';
import type { BoardModel } from '../model/board-model.ts';
import { impossibilityOf } from '../predicate/impossible.ts';
import type { RunModel } from '../model/run-model.ts';
import type { Turn } from '../predicate/turn.ts';

/** More than anybody reads of a plan that cannot go on. */
const STUCK_LIMIT = 20;

/** A run ends when all its tasks have, or when none of those that are left can ever start. */
export function finishRuns(turn: Turn): void {
  // What is to wait again is at its end on the board until the next turn.
  if (turn.takesBack) return;
  const isQuiet = turn.decisions.length === 0;
  for (const run of turn.board.runs.values()) {
    if (run.isInterrupted && !run.isStopping) continue;
    if (run.open === 0) finish(turn, run, { outcome: outcomeOf(run), stuck: [] });
    else if (isQuiet && isDeadlocked(turn, run))
      finish(turn, run, { outcome: 'deadlocked', stuck: stuckTasks(turn, run) });
  }
}

function outcomeOf(run: RunModel): RunOutcome {
  if (run.failed > 0) return 'failed';
  return run.cancelled > 0 ? 'cancelled' : 'completed';
}

/** No person is expected either. */
function isDeadlocked({ board }: Turn, run: RunModel): boolean {
  return run.attention.size === 0 && isAtRest(board, run);
}

/**
 * Nobody is at work, nothing comes back, and whatever is ready never starts. All others wait for
 * those, or for a person, since there is nobody else to wait for.
 */
export function isAtRest(board: BoardModel, run: RunModel): boolean {
  if (run.held > 0 || run.inBackoff.size > 0 || run.hasEndedEarly) return false;
  for (const { state } of run.paused) if (!isFinal(state)) return false;
  // What keeps one of a lane from ever starting is what it asks for, and so keeps all of them.
  return run.lanes.flat().every(({ ready }) => {
    const head = ready.peek();
    return head === undefined || impossibilityOf(board, head) !== undefined;
  });
}

/** Whoever waits for one of these waits in vain as well, and need not be named. */
function stuckTasks({ board }: Turn, run: RunModel): FinishDecision['stuck'] {
  const stuck: FinishDecision['stuck'][number][] = [];
  for (const entry of run.entries) {
    if (stuck.length === STUCK_LIMIT) break;
    if (entry.state.kind !== 'pending') continue;
    const why = impossibilityOf(board, entry);
    if (why === undefined) continue;
    stuck.push({ task: entry.id, reasons: [{ kind: 'unsatisfiable', ...why }] });
  }
  return stuck;
}

function finish(
  { decisions }: Turn,
  run: RunModel,
  how: Pick<FinishDecision, 'outcome' | 'stuck'>,
): void {
  decisions.push({ kind: 'finish', run: run.manifest.id, ...how });
}
