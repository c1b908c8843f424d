import type { RunOutcome } from '../../domain/run.ts';
import { isFinal } from '../../domain/task.ts';
import type { FinishDecision } from '../decision.ts';
import type { BoardModel } from '../model/board-model.ts';
import { impossibilityOf } from '../predicate/impossible.ts';
import type { RunModel, TaskEntry } from '../model/run-model.ts';
import type { Turn } from '../predicate/turn.ts';

/** More than anybody reads of a plan that cannot go on. */
const STUCK_LIMIT = 20;

/** A run ends when all its tasks have, or when none of those that are left can ever start. */
export function finishRuns(turn: Turn): void {
  // What is to wait again is at its end on the board until the next turn, and what is skipped is not.
  if (turn.takesBack || turn.decisions.some(({ kind }) => kind === 'skip')) return;
  const isQuiet = turn.decisions.length === 0;
  const stuckRuns = new Set<RunModel>();
  for (const run of turn.board.runs.values()) {
    if (run.isInterrupted && !run.isStopping) continue;
    if (run.open === 0) {
      if (!mayBeRevived(turn.board, run)) finish(turn, run, { outcome: outcomeOf(run), stuck: [] });
    } else if (isQuiet && isDeadlocked(turn, run) && isFirstToEnd(turn, run, stuckRuns)) {
      stuckRuns.add(run);
      finish(turn, run, { outcome: 'deadlocked', stuck: stuckTasks(turn, run) });
    }
  }
}

function outcomeOf(run: RunModel): RunOutcome {
  if (run.failed > 0) return 'failed';
  if (run.cancelled > 0) return 'cancelled';
  // What it was skipped for is a task of another run.
  return run.entries.some(({ state }) => state.kind === 'skipped') ? 'failed' : 'completed';
}

/**
 * Whether something was skipped for a task of another run that goes on: a retry there would revive it.
 * Runs that only wait for each other in this way have all ended.
 */
function mayBeRevived(board: BoardModel, run: RunModel): boolean {
  const waiting = new Set([run]);
  for (const each of waiting) {
    if (each.hasEndedEarly || each.isInterrupted) continue;
    if (each !== run && each.open > 0) return true;
    for (const { standing, task, waiting: those } of each.outside.values()) {
      // Of a task that has left its plan nothing can be retried.
      const before = standing === 'ended' ? board.find(task.run, task.task) : undefined;
      if (before !== undefined && those.some(isSkippedBehind)) waiting.add(before.run);
    }
  }
  return false;
}

function isSkippedBehind({
  entry,
  mustComplete,
}: {
  readonly entry: TaskEntry;
  readonly mustComplete: boolean;
}): boolean {
  return mustComplete && entry.state.kind === 'skipped';
}

/** No person is expected either, and nobody who could carry on what it waits for. */
function isDeadlocked({ board }: Turn, run: RunModel): boolean {
  return [run, ...runsBefore(board, run)].every(
    (each) => each.attention.size === 0 && !each.isInterrupted && isStill(board, each),
  );
}

/** Nothing of it goes on, nor of what its tasks wait for in other runs. */
export function isAtRest(board: BoardModel, run: RunModel): boolean {
  return (
    isStill(board, run) &&
    runsBefore(board, run).every((each) => each.isInterrupted || isStill(board, each))
  );
}

/** Whether only a pause, of everything or of some of its tasks, keeps a run from going on. */
export function isHeldByPause(board: BoardModel, run: RunModel): boolean {
  if (run.open === 0 || run.held > 0 || run.hasEndedEarly || run.isInterrupted) return false;
  if (board.isPaused) return true;
  return run.inBackoff.size === 0 && hasPaused(run) && !hasStartable(board, run);
}

/** The other runs that it waits for, directly or by way of others. */
export function runsBefore(board: BoardModel, run: RunModel): readonly RunModel[] {
  const before = new Set([run]);
  for (const each of before) for (const other of nextBefore(board, each)) before.add(other);
  before.delete(run);
  return [...before];
}

function nextBefore(board: BoardModel, run: RunModel): readonly RunModel[] {
  return [...run.outside.values()].flatMap(({ standing, task, waiting }) => {
    const other = standing === 'open' ? board.runs.get(task.run) : undefined;
    const isAwaited = waiting.some(({ entry }) => !isFinal(entry.state));
    return other !== undefined && isAwaited ? [other] : [];
  });
}

/**
 * With the end of a run that is stuck, what waits for its tasks in another one goes on or is skipped. So
 * they end one after the other, and of those that wait for each other one ends that can never go on.
 */
function isFirstToEnd(turn: Turn, run: RunModel, ended: ReadonlySet<RunModel>): boolean {
  const before = runsBefore(turn.board, run);
  if (before.length === 0) return true;
  const isMutual = before.every((other) => runsBefore(turn.board, other).includes(run));
  return isMutual && !before.some((other) => ended.has(other)) && stuckTasks(turn, run).length > 0;
}

/**
 * Nobody is at work, nothing comes back, and whatever is ready never starts. All others wait for
 * those, for a person, or for tasks of other runs, since there is nobody else to wait for.
 */
function isStill(board: BoardModel, run: RunModel): boolean {
  if (run.held > 0 || run.inBackoff.size > 0 || run.hasEndedEarly) return false;
  return !hasPaused(run) && !hasStartable(board, run);
}

function hasPaused(run: RunModel): boolean {
  for (const { state } of run.paused) if (!isFinal(state)) return true;
  return false;
}

/** What keeps one of a lane from ever starting is what it asks for, and so keeps all of them. */
function hasStartable(board: BoardModel, run: RunModel): boolean {
  return run.lanes.flat().some(({ ready }) => {
    const head = ready.peek();
    return head !== undefined && impossibilityOf(board, head) === undefined;
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
