import { canBeStopped, isPushed, lastLimitMs } from '../../domain/asks.ts';
import {
  holderOf,
  type HolderState,
  isFinal,
  type TaskEvent,
  type TaskState,
} from '../../domain/task.ts';
import type { Instant } from '../../domain/time.ts';
import type { ClaimTable } from './claim-table.ts';
import type { Losses } from './losses.ts';
import { intentOf, type OwnerTable } from './owner-table.ts';
import type { ReadyQueues } from './ready-queues.ts';
import { isDoom, isMet } from './edge-state.ts';
import { meets, type Outside, type Standing, standingOf } from './outside.ts';
import type { OutsideTable } from './outside-table.ts';
import type { Claim, TaskEntry } from './run-model.ts';
import type { Waiters } from './waiters.ts';
import type { Call, WorkerTable } from './worker-table.ts';
import { isAgent, LOCAL, placeOf } from './workers.ts';

/** The parts of a board that a change of one task reaches. */
interface Parts {
  readonly ready: ReadyQueues;
  readonly claims: ClaimTable;
  readonly owners: OwnerTable;
  readonly workers: WorkerTable;
  readonly losses: Losses;
  readonly waiters: Waiters;
  readonly outside: OutsideTable;
  readonly now: Instant;
}

/** Everything that follows when a task has gone from `before` to the state it has now. */
export function followMove(
  board: Parts,
  entry: TaskEntry,
  { before, event }: { readonly before: TaskState; readonly event: TaskEvent },
): void {
  const { run, state } = entry;
  followClaim(board, entry, event);
  run.count(entry, before);
  if (state.kind === 'pending' && (before.kind !== 'pending' || event.kind === 'taskRetried'))
    entry.readySince = state.notBefore ?? event.at;
  if (state.kind !== before.kind) {
    followEdges(board, entry, { before, at: event.at });
    if (isFinal(state) !== isFinal(before)) board.outside.forgetCycles();
    const standing = standingOf(state);
    for (const outside of board.outside.of(run.manifest.id, entry.id))
      followOutside(board, outside, { standing, at: event.at });
  }
  if (before.kind === 'pending' || state.kind === 'pending') board.ready.place(entry, board.now);
  // Whoever takes it ends its starving.
  if (state.kind !== 'pending') entry.starvation = undefined;
  // Whoever opens a terminal for it is needed again for the next attempt.
  if (event.kind === 'taskClaimed' && entry.asks.doer.kind === 'terminal')
    entry.wokenAt = undefined;
  // A worker that waits again was told before the task was lost, and is told anew.
  if (event.kind === 'taskLost') entry.wokenAt?.clear();
  if (isFinal(state)) entry.forget();
  if (run.classes !== undefined && isFinal(state) !== isFinal(before))
    for (const changed of run.classes.follow(entry.number, entry.isOpen))
      board.ready.place(run.entries[changed]!, board.now);
}

function followClaim(board: Parts, entry: TaskEntry, event: TaskEvent): void {
  const { claim } = entry;
  const holder = holderOf(entry.state);
  if (claim === undefined) {
    if (holder === undefined) return;
    const taken = board.claims.take(entry, holder);
    board.owners.take(taken);
    board.waiters.end(holder.worker);
    entry.leftBy = undefined;
    const place = placeOf(holder.worker);
    entry.ranAt = place === LOCAL ? undefined : place;
    taken.isApart = board.workers.places.get(place)?.isIsolated === true;
    const call = callOf(entry, holder);
    if (call !== undefined) board.workers.callStarted(call, event.at);
    return;
  }
  if (holder !== undefined) {
    if (holder !== claim.holder) board.claims.change(claim, holder);
  } else {
    board.claims.letGo(claim);
    board.owners.letGo(claim);
    const { worker } = claim.holder;
    if (!isPushed(entry.asks.doer) && !isFinal(entry.state)) entry.leftBy = worker;
    if (board.workers.sessions.get(worker)?.isIdle === true && board.claims.holdsNothing(worker))
      board.waiters.begin(worker, event.at);
    if (mayStillWork(claim, event))
      board.owners.keepLeftover(claim, { isOurs: isPushed(entry.asks.doer), at: event.at });
    if (isUnknownLoss(claim, event)) keepLoss(board, claim, event.at);
  }
  reportCall(board, claim, event);
}

/** Tells what waits for a task that it has ended, or that it runs again. */
function followEdges(
  board: Parts,
  entry: TaskEntry,
  { before, at }: { readonly before: TaskState; readonly at: Instant },
): void {
  const { run, state } = entry;
  const completion = Number(isMet(before, true)) - Number(isMet(state, true));
  const end = Number(isMet(before, false)) - Number(isMet(state, false));
  const doom = Number(isDoom(state)) - Number(isDoom(before));
  if (completion === 0 && end === 0 && doom === 0) return;
  const { offsets, nodes, mustComplete } = run.graph.successors;
  const { unmet } = run;
  const last = offsets[entry.number + 1]!;
  for (let edge = offsets[entry.number]!; edge < last; edge += 1) {
    const node = nodes[edge]!;
    const needsCompletion = mustComplete[edge] === 1;
    const was = unmet[node]!;
    const is = was + (needsCompletion ? completion : end);
    unmet[node] = is;
    if (needsCompletion && doom !== 0) {
      run.entries[node]!.doomed += doom;
      run.sortDoomed(run.entries[node]!);
    }
    if (was !== 0 && is !== 0) continue;
    const successor = run.entries[node]!;
    if (was !== 0) successor.readySince = at;
    if (successor.state.kind === 'pending') board.ready.place(successor, board.now);
  }
}

/** Tells the tasks of one run that wait for one of another run how far that is now. */
export function followOutside(
  board: Pick<Parts, 'ready' | 'now'>,
  outside: Outside<TaskEntry>,
  { standing, at }: { readonly standing: Standing; readonly at: Instant },
): void {
  const before = outside.standing;
  if (before === standing) return;
  outside.standing = standing;
  const doom = Number(standing === 'ended') - Number(before === 'ended');
  for (const { entry, mustComplete } of outside.waiting) {
    const { run, number } = entry;
    const was = entry.unmet;
    const is = was + Number(meets(before, mustComplete)) - Number(meets(standing, mustComplete));
    run.unmet[number] = is;
    if (mustComplete && doom !== 0) {
      entry.doomed += doom;
      run.sortDoomed(entry);
    }
    if (was !== 0 && is !== 0) continue;
    if (was !== 0) entry.readySince = at;
    if (entry.state.kind === 'pending') board.ready.place(entry, board.now);
  }
}

function reportCall({ workers }: Parts, { entry, holder }: Claim, event: TaskEvent): void {
  const call = callOf(entry, holder);
  if (call === undefined) return;
  const { at } = event;
  const ofPlace = outcomeForPlace(event);
  const ofAgent = outcomeForAgent(event);
  if (ofPlace !== undefined) workers.callEnded('place', { ...call, outcome: ofPlace }, at);
  if (ofAgent !== undefined) workers.callEnded('agent', { ...call, outcome: ofAgent }, at);
}

/** Whoever gives a task back, or is told to, has neither failed nor succeeded. */
function outcomeForPlace({ kind }: TaskEvent): 'succeeded' | 'failed' | 'dropped' | undefined {
  switch (kind) {
    case 'taskStarted':
    case 'taskCompleted':
    case 'taskFailed':
      return 'succeeded';
    case 'taskLost':
      return 'failed';
    case 'taskReleased':
    case 'taskCancelled':
    case 'taskAsked':
      return 'dropped';
    default:
      return undefined;
  }
}

function outcomeForAgent(event: TaskEvent): 'succeeded' | 'failed' | 'dropped' | undefined {
  if (event.kind === 'taskStarted') return undefined;
  return event.kind === 'taskFailed' ? 'failed' : outcomeForPlace(event);
}

/** What a claim is to the breakers; nothing where neither a host nor an agent is called. */
function callOf({ asks }: TaskEntry, { worker, term }: HolderState): Call | undefined {
  const { doer } = asks;
  if (!isPushed(doer)) return undefined;
  const place = placeOf(worker);
  const agent = doer.kind === 'started-agent' ? doer.agent : undefined;
  if (place === LOCAL && agent === undefined) return undefined;
  return { id: String(term), place, agent, limitMs: lastLimitMs(asks.timeout) };
}

/** Whether whoever held the task until now could go on writing. */
/** Its holder has not said so itself, and only an agent goes on without looking. */
function isUnknownLoss({ entry, holder }: Claim, event: TaskEvent): boolean {
  if (isPushed(entry.asks.doer) || !isAgent(holder.worker)) return false;
  if (event.kind === 'taskCancelled') return true;
  return event.kind === 'taskLost' && event.cause !== 'not-started';
}

function keepLoss({ losses }: Pick<Parts, 'losses'>, { entry, holder }: Claim, at: Instant): void {
  const { id: run, plan, folder } = entry.run.manifest;
  const { reads, writes } = entry.definition;
  const { worker, term } = holder;
  const patterns = { reads, writes, ...(folder !== undefined && { folder }) };
  losses.add({ run, task: entry.id, term, plan, worker, at, tree: intentOf(entry).tree, patterns });
}

function mayStillWork({ entry, holder, undeclared }: Claim, event: TaskEvent): boolean {
  const isOurs = isPushed(entry.asks.doer);
  // Whoever claims for itself does nothing before its claim is confirmed.
  const mayHaveBegun = isOurs || holder.kind === 'running' || (undeclared?.size ?? 0) > 0;
  switch (event.kind) {
    case 'taskLost':
      return mayHaveBegun && (event.cause === 'lease-expired' || event.cause === 'host-lost');
    case 'taskCancelled':
      // Commands are cancelled when they have ended.
      return mayHaveBegun && !canBeStopped(entry.asks.doer);
    default:
      return false;
  }
}
