import { expect, test } from 'vitest';
import { instant } from '../../../server/domain/time.ts';
import type { BoardEvent } from '../../../server/scheduler/model/board-event.ts';
import { BoardModel } from '../../../server/scheduler/model/board-model.ts';
import { tallyOf } from '../../../server/scheduler/model/cycle-report.ts';
import { derivedOf, dumpOf, recomputedOf } from '../../support/board-dump.ts';
import { definition, manifest, runId } from '../../support/runs.ts';
import { AT, taskId, workerId } from '../../support/snapshots.ts';

const at = AT;
const run = runId(1);
const a = taskId('a');
const ann = workerId('agent/ann');
const nothing = tallyOf<never>([]);
const agent = { doer: { kind: 'agent' } } as const;
const tasks = [
  definition('a', { asks: agent, writes: ['src/a'] }),
  definition('b', { asks: agent, dependsOn: [a] }),
];

/** One of every kind, in an order in which each is possible. */
const EVENTS: Readonly<Record<BoardEvent['kind'], BoardEvent>> = {
  runSubmitted: { kind: 'runSubmitted', at, manifest: manifest(1, { tasks }) },
  workerSeen: {
    kind: 'workerSeen',
    at,
    worker: { id: ann, kind: 'agent', capabilities: [], isIdle: true, since: at },
  },
  placeSeen: {
    kind: 'placeSeen',
    at,
    place: { name: 'far', isReachable: true, capabilities: [], limits: {} },
  },
  agentConfigured: {
    kind: 'agentConfigured',
    at,
    agent: { name: 'claude', capabilities: [], mayBeStarted: true },
  },
  agentLimited: { kind: 'agentLimited', at, agent: 'claude' },
  agentGone: { kind: 'agentGone', at, agent: 'claude' },
  placeGone: { kind: 'placeGone', at, place: 'far' },
  loadMeasured: { kind: 'loadMeasured', at, load: { queueLimit: 5, memory: 0.9, cpu: 0 } },
  loadChanged: { kind: 'loadChanged', at, mode: 'high' },
  permissionChanged: { kind: 'permissionChanged', at, permission: 'untrusted' },
  tenureBegan: { kind: 'tenureBegan', at, tenure: 2, name: 'editor', permission: 'granted' },
  boardPaused: { kind: 'boardPaused', at },
  boardResumed: { kind: 'boardResumed', at },
  runInterrupted: { kind: 'runInterrupted', at, run },
  runResumed: { kind: 'runResumed', at, run },
  taskPaused: { kind: 'taskPaused', at, run, task: a },
  taskResumed: { kind: 'taskResumed', at, run, task: a },
  workerWoken: { kind: 'workerWoken', at, run, task: a, worker: ann },
  wakesForgotten: { kind: 'wakesForgotten', at },
  starvationCounted: {
    kind: 'starvationCounted',
    at,
    run,
    task: a,
    starvation: { cycles: 6, lastCountedAt: at, isWorkerRequested: true, isReported: true },
  },
  workerRequested: { kind: 'workerRequested', at, run, task: a, needs: [] },
  taskStarved: { kind: 'taskStarved', at, run, task: a, cycles: 6, queuedMs: 200_000 },
  cycleRan: {
    kind: 'cycleRan',
    at,
    report: {
      waiting: nothing,
      idle: nothing,
      recovered: nothing,
      woken: nothing,
      starved: nothing,
      skipped: { busy: { count: 2, first: [] } },
    },
  },
  pathsOwned: {
    kind: 'pathsOwned',
    at,
    id: 'bob',
    worker: workerId('bob'),
    tree: '/project',
    reads: [],
    writes: ['docs/**'],
    isUnsaved: true,
    lets: [{ run, task: a, revision: 1, attempt: 1 }],
    until: instant(at + 5000),
  },
  releaseAsked: {
    kind: 'releaseAsked',
    at,
    owner: { kind: 'person', id: 'bob', isUnsaved: true },
    worker: ann,
    path: 'docs/b',
  },
  pathsFreed: { kind: 'pathsFreed', at, id: 'bob' },
  taskMoved: {
    kind: 'taskMoved',
    run,
    task: a,
    event: { kind: 'taskClaimed', at, term: 1, worker: ann, expiresAt: instant(at + 5000) },
    contending: 0b0100,
  },
  undeclaredWritten: { kind: 'undeclaredWritten', at, run, task: a, term: 1, path: 'docs/b' },
  writesDismissed: {
    kind: 'writesDismissed',
    at,
    tree: '/project',
    paths: ['docs/b'],
    of: { run, task: a },
    isForAll: false,
  },
  writtenByOneOf: {
    kind: 'writtenByOneOf',
    at,
    run,
    by: [{ run, task: a, term: 1 }],
    paths: ['c'],
  },
  inputChanged: { kind: 'inputChanged', at, run, task: a, term: 1, paths: ['c'], by: [] },
  heldFilesChanged: {
    kind: 'heldFilesChanged',
    at,
    run,
    task: a,
    term: 1,
    holder: ann,
    worker: ann,
    tree: '/project',
    paths: ['c'],
  },
  takenFilesChanged: {
    kind: 'takenFilesChanged',
    at,
    holder: ann,
    worker: ann,
    tree: '/project',
    paths: ['c'],
  },
  runRevised: { kind: 'runRevised', at, run, tasks: [...tasks, definition('c')] },
  leftoverGone: { kind: 'leftoverGone', at, run, task: a, term: 1 },
  workerDrained: { kind: 'workerDrained', at, worker: ann },
  workerUndrained: { kind: 'workerUndrained', at, worker: ann },
  lossesTold: { kind: 'lossesTold', at, worker: ann, terms: [1] },
  workerLeft: { kind: 'workerLeft', at, worker: ann },
  runStopAsked: { kind: 'runStopAsked', at, run },
  runFinished: { kind: 'runFinished', at, run, outcome: 'cancelled' },
};

/** What makes a leftover, so that it can go. */
const LOSS: readonly BoardEvent[] = [
  { kind: 'taskMoved', run, task: a, event: { kind: 'taskStarted', at, term: 1 } },
  {
    kind: 'taskMoved',
    run,
    task: a,
    event: { kind: 'taskLost', at, term: 1, cause: 'lease-expired', retryAt: instant(at + 100) },
  },
];

const ALL = Object.values(EVENTS).flatMap((event) =>
  event.kind === 'leftoverGone' ? [...LOSS, event] : [event],
);

/** For whoever reads the ledger. */
const WITHOUT_FACTS: ReadonlySet<string> = new Set([
  'workerRequested',
  'taskStarved',
  'writtenByOneOf',
  'inputChanged',
  'heldFilesChanged',
  'takenFilesChanged',
]);

function boardBefore(kind: BoardEvent['kind']): BoardModel {
  const board = new BoardModel({ foldCase: false });
  for (const event of ALL.slice(0, ALL.indexOf(EVENTS[kind]))) board.apply(event);
  return board;
}

for (const event of Object.values(EVENTS)) {
  const { kind } = event;
  const effect = WITHOUT_FACTS.has(kind) ? 'changes no fact' : 'changes a fact';
  test(`${kind} ${effect}, and leaves the board in order`, () => {
    const board = boardBefore(kind);
    const before = dumpOf(board);
    expect(board.apply(event)).toBe('moved');
    const after = dumpOf(board);
    expect(JSON.stringify(after) === JSON.stringify(before)).toBe(WITHOUT_FACTS.has(kind));
    expect(derivedOf(board)).toStrictEqual(recomputedOf(board));
  });
}

const OF_A_RUN = Object.values(EVENTS).filter((event) => 'run' in event);

for (const event of OF_A_RUN)
  test(`${event.kind} of a run that nobody knows is refused, unless it is only read`, () => {
    const board = new BoardModel({ foldCase: false });
    const isRead = WITHOUT_FACTS.has(event.kind);
    expect(board.apply(event)).toBe(isRead ? 'moved' : 'refused');
    expect(board.runs.size).toBe(0);
  });

test('all of them in order give an equal board, twice', () => {
  const boards = [1, 2].map(() => {
    const board = new BoardModel({ foldCase: false });
    for (const event of ALL) board.apply(event);
    return dumpOf(board);
  });
  expect(boards[0]).toStrictEqual(boards[1]);
});

test('nothing is left of a run that has finished', () => {
  const board = new BoardModel({ foldCase: false });
  for (const event of ALL) board.apply(event);
  expect(board.runs.size).toBe(0);
  expect(derivedOf(board)).toStrictEqual({
    runs: [],
    pushLanes: [[], [], [], []],
    pullLanes: [],
    queued: 0,
    pushed: [],
    pulled: [],
    leases: [],
    busy: [],
    owners: [],
  });
});
