import { mayStart, type Verdict } from '../predicate/may-start.ts';
import type { Lane, TaskEntry } from '../model/run-model.ts';
import type { Worker } from '../model/workers.ts';
import type { Reason } from '../model/reason.ts';
import { isOverdue, LOOK_LIMIT, waitsLonger } from '../predicate/reservations.ts';
import { isSharedByLane } from './ready-order.ts';
import type { Turn } from '../predicate/turn.ts';
import { isFit } from '../predicate/welcome.ts';

/**
 * Keeps the starts of tasks that must not be overtaken: of those that have waited too long, and of
 * the first of each kind that workers take for themselves. For our own tasks the rest follows from the
 * order in which they are claimed.
 */
export function keepStarts(turn: Turn): void {
  const held: HeldBack = { blocked: [], startable: [] };
  for (const lanes of turn.board.ready.pushLanes)
    for (const lane of lanes) collectOverdue(turn, lane, held);
  const { workers, claims, ready } = turn.board;
  if (ready.pullLanes.size > 0) {
    const idle = [...workers.sessions.values()].filter(
      ({ id, kind, isIdle }) => kind === 'agent' && isIdle && claims.holdsNothing(id),
    );
    collectForWorkers(turn, idle, held);
  }
  keep(turn, held);
}

/** The same for whoever asks for work just now. */
export function keepStartsFor(turn: Turn, worker: Worker): void {
  const held: HeldBack = { blocked: [], startable: [] };
  if (worker.kind === 'agent') collectForWorkers(turn, [worker], held);
  keep(turn, held);
}

/** Those that others hold back, and those that could start and may be overtaken in this very turn. */
interface HeldBack {
  readonly blocked: TaskEntry[];
  readonly startable: TaskEntry[];
}

/** There are few starts to keep: whoever has waited longest comes first. */
function keep(turn: Turn, { blocked, startable }: HeldBack): void {
  if (blocked.length === 0 && startable.length === 0) return;
  for (const held of [blocked, startable])
    for (const entry of held.toSorted((a, b) => (waitsLonger(a, b) ? -1 : 1)))
      turn.reservations.add(entry);
}

/** Whether others have what a task needs, and will let it go; nothing else is in its way. */
export function waitsForOthers(verdict: Verdict): boolean {
  return verdict.kind === 'no' && verdict.reasons.every(isHeldForAWhile);
}

/** What one of them could take. No start is kept for people, who come when it suits them. */
function collectForWorkers(turn: Turn, agents: readonly Worker[], held: HeldBack): void {
  if (agents.length === 0) return;
  for (const lane of turn.board.ready.pullLanes) {
    const first = lane.ready.peek();
    if (first === undefined || !agents.some((agent) => isFit(first, agent))) continue;
    collectOverdue(turn, lane, held);
    if (waitsForOthers(mayStart(turn, first, { isQuick: true }))) held.blocked.push(first);
  }
}

/**
 * Whoever has waited too long is not overtaken by those that need less, of whatever class. Tasks of a
 * lane ask for the same, so one of them is enough; but their files differ.
 */
function collectOverdue(turn: Turn, lane: Lane, { blocked, startable }: HeldBack): void {
  const couldOthersSlipIn = needsMore(turn, lane);
  if (!couldOthersSlipIn && !lane.touchesFiles) return;
  let entry = lane.oldest;
  for (let count = 0; count < LOOK_LIMIT && entry !== undefined; entry = entry.newer) {
    if (!isOverdue(entry, turn.now)) return;
    const verdict = mayStart(turn, entry, { isQuick: true });
    const isHeld = waitsForOthers(verdict);
    if (verdict.kind === 'yes') startable.push(entry);
    else if (isHeld || (couldOthersSlipIn && verdict.reasons.every(waitsForThem)))
      blocked.push(entry);
    if (!lane.touchesFiles) return;
    // Those at whose files a person is may be many, and hide nobody.
    if (verdict.kind === 'yes' || isHeld) count += 1;
    else if (isSharedByLane(verdict.reasons[0])) return;
  }
}

/** Others may need less of something, or belong to a run that may do more at once. */
function needsMore({ mostParallel }: Turn, { asks, run }: Lane): boolean {
  return mostParallel > run.manifest.policy.parallel || Object.keys(asks.resources).length > 0;
}

/** For a place as well; but of a host that is full nobody knows when it has one. */
function waitsForThem(reason: Reason): boolean {
  const isForPlace = reason.kind === 'parallel' && reason.host === undefined;
  return isForPlace || isHeldForAWhile(reason);
}

/** Nobody knows when people are done, nor when it is proved that nothing is left of a lost attempt. */
function isHeldForAWhile(reason: Reason): boolean {
  return reason.kind === 'resources' || (reason.kind === 'hazard' && reason.owner.kind === 'task');
}
