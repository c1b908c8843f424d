import { expect } from 'vitest';
import type { RunId, TaskId } from '../../../server/domain/ids.ts';
import type { TaskEvent, TaskState } from '../../../server/domain/task.ts';
import { type Instant, instant } from '../../../server/domain/time.ts';
import type { LedgerEntry, Store } from '../../../server/engine/store-port.ts';
import type { ClaimDecision, Decision } from '../../../server/scheduler/decision.ts';
import type { BoardEvent } from '../../../server/scheduler/model/board-event.ts';
import { BoardModel } from '../../../server/scheduler/model/board-model.ts';
import { claimOf } from '../decisions.ts';
import { manifest, runId, taskId } from '../runs.ts';
import type { StoreClock } from '../store-clock.ts';

/** One board, which any number of stores may open, as any number of processes may. */
export interface BoardOnTrial {
  readonly clock: StoreClock;
  open(): Store;
}

export const [a, b] = [taskId('a'), taskId('b')];
export const PAUSED = { kind: 'boardPaused', at: instant(100) } as const;
export const PROCESS = { bootId: 'boot', pid: 42, startTime: '7' };

/** A store that may write. */
export function writer(board: BoardOnTrial): Store {
  const store = board.open();
  store.beginTenure();
  return store;
}

export function submitted(number = 1, fields: Parameters<typeof manifest>[1] = {}): BoardEvent {
  return { kind: 'runSubmitted', at: instant(number), manifest: manifest(number, fields) };
}

export function moved(event: TaskEvent, task: TaskId = a, run: RunId = runId(1)): BoardEvent {
  return { kind: 'taskMoved', run, task, event };
}

/** A store that may write, of a board with one run. */
export function withRun(board: BoardOnTrial): Store {
  const store = writer(board);
  store.record([submitted()]);
  return store;
}

/** The term of a claim by the scheduler. */
export function claim(store: Store, decision: ClaimDecision = claimOf({ task: a })): number {
  const [committed] = store.commit(1, [decision]);
  const event = committed?.entry.event;
  expect(event).toMatchObject({ kind: 'taskMoved', event: { kind: 'taskClaimed' } });
  const isClaim = event?.kind === 'taskMoved' && event.event.kind === 'taskClaimed';
  return isClaim && event.event.kind === 'taskClaimed' ? event.event.term : 0;
}

export function stateOf(store: Store, task: TaskId = a, run = runId(1)): TaskState | undefined {
  return store.statesOf(run).get(task);
}

/** Those that stand. */
export function stood(store: Store, ...decisions: readonly Decision[]): readonly Decision[] {
  return store.commit(1, decisions).map(({ decision }) => decision);
}

export function endedAt(at: Instant, term: number): TaskEvent {
  return { kind: 'taskCompleted', term, at };
}

/** The states of all unfinished runs, as whoever reads the ledger comes to them. */
export function folded(entries: readonly LedgerEntry[]): Readonly<Record<string, unknown>> {
  const board = new BoardModel({ foldCase: false });
  for (const { event } of entries) board.apply(event);
  const runs = [...board.runs].map(([id, run]) => [
    id,
    run.entries.map(({ id: task, state }) => [task, state]),
  ]);
  return Object.fromEntries(runs);
}

/** The same from the tables. */
export function kept(store: Store): Readonly<Record<string, unknown>> {
  const unfinished = store
    .runs(1000)
    .filter(({ outcome }) => outcome === undefined)
    .map(({ manifest: { id } }) => [id, [...store.statesOf(id)]]);
  return Object.fromEntries(unfinished);
}
