import type { TaskId } from '../../domain/ids.ts';
import { isDoom } from '../model/edge-state.ts';
import type { RunModel, TaskEntry } from '../model/run-model.ts';
import type { Turn } from '../predicate/turn.ts';

/** A task whose dependency did not complete never starts, and neither does what waits for it. */
export function skipBehindFailures(turn: Turn, run: RunModel): void {
  if (run.doomed.size === 0) return;
  const skipped = new Set<TaskEntry>();
  const queue = [...run.doomed].map((entry) => ({ entry, because: doomOf(run, entry) }));
  for (const { entry, because } of queue) {
    if (because === undefined || entry.state.kind !== 'pending' || skipped.has(entry)) continue;
    skipped.add(entry);
    turn.decide(entry, { kind: 'skip', because });
    run.forEachSuccessor(entry, (successor, mustComplete) => {
      if (mustComplete) queue.push({ entry: successor, because: entry.id });
    });
  }
}

/** What was skipped waits again once each dependency may complete after all. */
export function reviveBehindRetries(turn: Turn, run: RunModel): void {
  // What nobody wants any more need not wait again.
  if (run.revivable.size === 0 || run.hasEndedEarly) return;
  const revived = new Set<TaskEntry>();
  // How many dependencies of a task are left that will not complete, counted down as they are revived.
  const doomed = new Map<TaskEntry, number>();
  for (const entry of run.revivable) if (!waitsForSkipped(turn, entry, revived)) revived.add(entry);
  for (const entry of revived) {
    turn.decide(entry, { kind: 'revive' });
    run.forEachSuccessor(entry, (successor, mustComplete) => {
      if (!mustComplete || successor.state.kind !== 'skipped') return;
      const left = (doomed.get(successor) ?? successor.doomed) - 1;
      doomed.set(successor, left);
      if (left === 0 && !waitsForSkipped(turn, successor, revived)) revived.add(successor);
    });
  }
}

/** The first of its dependencies that will not complete. */
function doomOf(run: RunModel, entry: TaskEntry): TaskId | undefined {
  let because: TaskId | undefined;
  run.forEachPredecessor(entry, (predecessor, mustComplete) => {
    if (mustComplete && isDoom(predecessor.state)) because ??= predecessor.id;
  });
  for (const { outside, mustComplete } of run.outsideOf(entry))
    if (mustComplete && outside.standing === 'ended') because ??= outside.task.reference;
  return because;
}

/** What is skipped in this turn is not so on the board yet. */
function waitsForSkipped(turn: Turn, entry: TaskEntry, revived: ReadonlySet<TaskEntry>): boolean {
  let isWaiting = false;
  entry.run.forEachPredecessor(entry, (predecessor, mustComplete) => {
    if (mustComplete && turn.isDecided(predecessor) && !revived.has(predecessor)) isWaiting = true;
  });
  for (const { outside, mustComplete } of entry.run.outsideOf(entry)) {
    const other = turn.board.find(outside.task.run, outside.task.task);
    if (mustComplete && other !== undefined && turn.isDecided(other)) isWaiting = true;
  }
  return isWaiting;
}
