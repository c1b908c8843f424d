import { isPushed } from '../../server/domain/asks.ts';
import { priorityIndex } from '../../server/domain/priority.ts';
import { holderOf, isFinal } from '../../server/domain/task.ts';
import type { BoardModel } from '../../server/scheduler/model/board-model.ts';
import {
  type RunModel,
  startsBefore,
  type TaskEntry,
} from '../../server/scheduler/model/run-model.ts';
import { standingFor } from '../support/outside-state.ts';
import { type Checks, Violation } from './violation.ts';

/** Works out again, in the plainest way, everything that a board keeps because it follows from facts. */
export function sanityCheck(board: BoardModel, checks: Checks): void {
  let pushed = 0;
  let pulled = 0;
  let leased = 0;
  const inLanes = entriesInLanes(board);
  for (const run of board.runs.values()) {
    checks.look('sanity');
    checkTotals(run);
    for (const entry of run.entries) {
      checks.look('sanity');
      checkEntry(entry, board);
      checkPlace(entry, inLanes.delete(entry), board);
      if (entry.claim === undefined) continue;
      if (isPushed(entry.asks.doer)) pushed += 1;
      else pulled += 1;
      if (entry.claim.holder.expiresAt !== undefined) leased += 1;
    }
  }
  const { claims, owners, credits } = board;
  same('tasks in lanes of no run', inLanes.size, 0);
  same('pushed claims', claims.pushed.size, pushed);
  same('pulled claims', claims.pulled.size, pulled);
  same('leases', claims.leases.size, leased);
  for (const { run, task, isApart } of owners.leftovers.values()) {
    const entry = board.find(run, task);
    const isLetGo = entry !== undefined && entry.leftover === undefined;
    same('tasks let go early', isLetGo && !isApart, false);
  }
  checkLanes(board, checks);
  same('credits', sumOf(credits), 0);
}

function entriesInLanes({ ready }: BoardModel): Set<TaskEntry> {
  const inLanes = new Set<TaskEntry>();
  for (const lanes of ready.pushLanes)
    for (const lane of lanes) for (const entry of lane.ready.inOrder()) inLanes.add(entry);
  for (const lane of ready.pullLanes) for (const entry of lane.ready.inOrder()) inLanes.add(entry);
  return inLanes;
}

function checkTotals(run: RunModel): void {
  const count = { open: 0, failed: 0, held: 0, attention: 0, paused: 0, doomed: 0, revivable: 0 };
  for (const { state, claim, isPaused, doomed } of run.entries) {
    const { kind } = state;
    if (!isFinal(state)) count.open += 1;
    if (kind === 'failed') count.failed += 1;
    if (claim !== undefined) count.held += 1;
    if (kind === 'attention') count.attention += 1;
    if (isPaused) count.paused += 1;
    if (kind === 'pending' && doomed > 0) count.doomed += 1;
    if (kind === 'skipped' && doomed === 0) count.revivable += 1;
  }
  same('open', run.open, count.open);
  same('failed', run.failed, count.failed);
  same('held', run.held, count.held);
  same('attention', run.attention.size, count.attention);
  same('paused', run.paused.size, count.paused);
  same('doomed', run.doomed.size, count.doomed);
  same('revivable', run.revivable.size, count.revivable);
}

function checkEntry(entry: TaskEntry, board: BoardModel): void {
  const { run, state, claim } = entry;
  checkEdges(entry, board);
  differ(entry, 'holder', claim?.holder !== holderOf(state));
  const owns = claim !== undefined && entry.touchesFiles;
  differ(entry, 'owner', (claim?.owner?.isLive === true) !== owns);
  if (!isFinal(state)) differ(entry, 'rank', entry.rank !== rankOf(run, entry));
  const owner = entry.leftover;
  if (owner === undefined) return;
  const isKept = [...board.owners.leftovers.values()].some((leftover) => leftover.owner === owner);
  differ(entry, 'leftover', !isKept);
}

function checkEdges(entry: TaskEntry, board: BoardModel): void {
  const { dependsOn, after } = entry.definition;
  let unmet = 0;
  let doomed = 0;
  for (const id of new Set(dependsOn)) {
    const standing = standingFor(board, entry.run, id);
    if (standing !== 'completed') unmet += 1;
    if (standing === 'ended') doomed += 1;
  }
  for (const id of new Set(after)) {
    if (!dependsOn.includes(id) && standingFor(board, entry.run, id) === 'open') unmet += 1;
  }
  differ(entry, 'unmet', entry.unmet !== unmet);
  differ(entry, 'doomed', entry.doomed !== doomed);
}

/** As its own class, or as what waits for it is served. */
function rankOf(run: RunModel, entry: TaskEntry): number {
  let rank: number = priorityIndex(entry.asks.priority);
  const { id } = entry.definition;
  for (const other of run.entries) {
    const { dependsOn, after } = other.definition;
    if (other.rank >= rank || isFinal(other.state)) continue;
    if (dependsOn.includes(id) || after.includes(id)) rank = other.rank;
  }
  return rank;
}

function checkPlace(entry: TaskEntry, isInLane: boolean, board: BoardModel): void {
  const { state, run } = entry;
  const isFree =
    state.kind === 'pending' && entry.unmet === 0 && entry.doomed === 0 && !entry.isPaused;
  const isWaiting = state.kind === 'pending' && (state.notBefore ?? 0) > board.now;
  differ(entry, 'readiness', isInLane !== (isFree && !isWaiting));
  differ(entry, 'backoff', run.inBackoff.has(entry) !== (isFree && isWaiting));
  if (isInLane) differ(entry, 'lane', entry.lane?.rank !== entry.rank);
}

function checkLanes({ ready }: BoardModel, checks: Checks): void {
  for (const [rank, lanes] of ready.pushLanes.entries())
    for (const lane of lanes) {
      same('class of a lane', lane.rank, rank);
      let before: TaskEntry | undefined;
      for (const entry of lane.ready.inOrder()) {
        const isInOrder = before === undefined || startsBefore(before, entry);
        checks.holds('I24', isInOrder, () => `${entry.definition.id} stands in the wrong order`);
        before = entry;
      }
    }
}

function sumOf(numbers: readonly number[]): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}

function differ({ run, definition, state }: TaskEntry, what: string, isWrong: boolean): void {
  if (!isWrong) return;
  const name = `${run.manifest.id}/${definition.id}`;
  throw new Violation('sanity', `${what} of ${name} is wrong: ${JSON.stringify(state)}`);
}

function same(what: string, is: number | boolean, should: number | boolean): void {
  if (is !== should) throw new Violation('sanity', `${what}: ${is}, not ${should}`);
}
