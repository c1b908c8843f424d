import { isPushed } from '../../server/domain/asks.ts';
import { priorityIndex } from '../../server/domain/priority.ts';
import { holderOf, isFinal } from '../../server/domain/task.ts';
import type { BoardModel } from '../../server/scheduler/model/board-model.ts';
import {
  type RunModel,
  startsBefore,
  type TaskEntry,
} from '../../server/scheduler/model/run-model.ts';
import type { Checks } from './violation.ts';

/** Works out again, in the plainest way, everything that a board keeps because it follows from facts. */
export function sanityCheck(board: BoardModel, checks: Checks): void {
  let pushed = 0;
  let pulled = 0;
  let leased = 0;
  const inLanes = new Set<TaskEntry>();
  for (const lanes of [...board.ready.pushLanes, board.ready.pullLanes])
    for (const lane of lanes) for (const entry of lane.ready.inOrder()) inLanes.add(entry);
  for (const run of board.runs.values()) {
    checkTotals(run, checks);
    for (const entry of run.entries) {
      checkEntry(board, entry, checks);
      checkPlace(entry, inLanes.delete(entry), { board, checks });
      if (entry.claim === undefined) continue;
      if (isPushed(entry.asks.doer)) pushed += 1;
      else pulled += 1;
      if (entry.claim.holder.expiresAt !== undefined) leased += 1;
    }
  }
  same(checks, 'tasks in lanes of no run', [inLanes.size, 0]);
  same(checks, 'pushed claims', [board.claims.pushed.size, pushed]);
  same(checks, 'pulled claims', [board.claims.pulled.size, pulled]);
  same(checks, 'leases', [board.claims.leases.size, leased]);
  for (const { run, task } of board.owners.leftovers.values()) {
    const entry = board.find(run, task);
    same(checks, `${task} waits`, [entry !== undefined && entry.leftover === undefined, false]);
  }
  checkLanes(board, checks);
  const sum = board.credits.reduce((total, credit) => total + credit, 0);
  same(checks, 'credits', [sum, 0]);
}

function checkTotals(run: RunModel, checks: Checks): void {
  const { id } = run.manifest;
  const count = (fits: (entry: TaskEntry) => boolean): number => run.entries.filter(fits).length;
  same(checks, `${id} open`, [run.open, count(({ state }) => !isFinal(state))]);
  same(checks, `${id} failed`, [run.failed, count(({ state }) => state.kind === 'failed')]);
  same(checks, `${id} held`, [run.held, count(({ claim }) => claim !== undefined)]);
  same(checks, `${id} attention`, [
    run.attention.size,
    count(({ state }) => state.kind === 'attention'),
  ]);
  same(checks, `${id} paused`, [run.paused.size, count(({ isPaused }) => isPaused)]);
  same(checks, `${id} doomed`, [
    run.doomed.size,
    count(({ state, doomed }) => state.kind === 'pending' && doomed > 0),
  ]);
  const revivable = count(({ state, doomed }) => state.kind === 'skipped' && doomed === 0);
  same(checks, `${id} revivable`, [run.revivable.size, revivable]);
}

function checkEntry(board: BoardModel, entry: TaskEntry, checks: Checks): void {
  const { run, definition, state, claim } = entry;
  const name = `${run.manifest.id}/${definition.id}`;
  const needs = new Set(definition.dependsOn);
  let unmet = 0;
  let doomed = 0;
  for (const id of new Set([...definition.dependsOn, ...definition.after])) {
    const kind = run.entries.find((other) => other.definition.id === id)?.state.kind;
    const isOver =
      kind === 'completed' || kind === 'failed' || kind === 'cancelled' || kind === 'skipped';
    if (needs.has(id) ? kind !== 'completed' : kind !== undefined && !isOver) unmet += 1;
    if (needs.has(id) && isOver && kind !== 'completed') doomed += 1;
  }
  same(checks, `${name} unmet`, [entry.unmet, unmet]);
  same(checks, `${name} doomed`, [entry.doomed, doomed]);
  same(checks, `${name} holder`, [claim?.holder, holderOf(state)]);
  same(checks, `${name} owner`, [
    claim?.owner?.isLive,
    claim !== undefined && entry.touchesFiles ? true : undefined,
  ]);
  if (!isFinal(state)) same(checks, `${name} rank`, [entry.rank, rankOf(run, entry)]);
  const owner = entry.leftover;
  const isKept = [...board.owners.leftovers.values()].some((leftover) => leftover.owner === owner);
  same(checks, `${name} leftover`, [owner !== undefined, isKept && owner !== undefined]);
}

/** As its own class, or as what waits for it is served. */
function rankOf(run: RunModel, entry: TaskEntry): number {
  let rank: number = priorityIndex(entry.asks.priority);
  const { id } = entry.definition;
  for (const other of run.entries) {
    const { dependsOn, after } = other.definition;
    if (isFinal(other.state) || (!dependsOn.includes(id) && !after.includes(id))) continue;
    rank = Math.min(rank, other.rank);
  }
  return rank;
}

function checkPlace(
  entry: TaskEntry,
  isInLane: boolean,
  { board, checks }: { board: BoardModel; checks: Checks },
): void {
  const { state, run } = entry;
  const name = `${run.manifest.id}/${entry.definition.id}`;
  const isFree =
    state.kind === 'pending' && entry.unmet === 0 && entry.doomed === 0 && !entry.isPaused;
  const isWaiting = state.kind === 'pending' && (state.notBefore ?? 0) > board.now;
  same(checks, `${name} ready`, [isInLane, isFree && !isWaiting]);
  same(checks, `${name} in backoff`, [run.inBackoff.has(entry), isFree && isWaiting]);
  if (isInLane) same(checks, `${name} lane`, [entry.lane?.rank, entry.rank]);
}

function checkLanes({ ready }: BoardModel, checks: Checks): void {
  for (const [rank, lanes] of ready.pushLanes.entries())
    for (const lane of lanes) {
      same(checks, 'class of a lane', [lane.rank, rank]);
      let before: TaskEntry | undefined;
      for (const entry of lane.ready.inOrder()) {
        const isInOrder = before === undefined || startsBefore(before, entry);
        checks.holds('I24', isInOrder, () => `${entry.definition.id} stands in the wrong order`);
        before = entry;
      }
    }
}

function same(checks: Checks, what: string, [is, should]: readonly [unknown, unknown]): void {
  checks.holds('sanity', is === should, () => `${what} is ${String(is)}, not ${String(should)}`);
}
