import { expect, test } from 'vitest';
import { decideTurn } from '../../../server/scheduler/decide.ts';
import type { BoardEvent } from '../../../server/scheduler/model/board-event.ts';
import { factsOf, parseFacts } from '../../../server/scheduler/model/board-facts.ts';
import { BoardModel } from '../../../server/scheduler/model/board-model.ts';
import { DISMISSED_LIMIT } from '../../../server/scheduler/model/dismissed-writes.ts';
import type { RunModel, TaskEntry } from '../../../server/scheduler/model/run-model.ts';
import { why } from '../../../server/scheduler/predicate/why.ts';
import { agesFrom, allOf, copyOf } from '../../support/board-copy.ts';
import { Play } from '../../support/board-play.ts';
import { play } from '../../support/board-script.ts';
import { definition, manifest, runId } from '../../support/runs.ts';
import { AT, boardOf, taskId, workerId } from '../../support/snapshots.ts';

/** What is found on a board at the end of a story is found on a board from its facts. */
function check(
  name: string,
  [text, script]: readonly [text: string, script: string],
  [find, expected]: readonly [find: (board: BoardModel) => unknown, expected: unknown],
): void {
  test(name, () => {
    const { board } = new Play(text);
    const on = new Play(text);
    play(on, script);
    expect(find(board), 'the story does not matter').not.toStrictEqual(expected);
    expect(find(on.board)).toStrictEqual(expected);
    const copy = copyOf(on.board);
    expect(find(copy)).toStrictEqual(expected);
    expect(allOf(copy)).toStrictEqual(allOf(on.board));
  });
}

const entryOf = (board: BoardModel, id: string): TaskEntry | undefined =>
  [...board.runs.values()].flatMap((run) => run.find(taskId(id)) ?? [])[0];
const runOf = (board: BoardModel): RunModel | undefined => [...board.runs.values()][0];
const idsOf = (entries: Iterable<TaskEntry> | undefined): readonly string[] =>
  Array.from(entries ?? [], ({ id }) => id);

check(
  'whoever is drained stays so',
  ['worker ann\na', 'drain ann; drain local'],
  [({ workers }) => [...workers.drained], ['ann', 'runner/local']],
);
test('what a person has dismissed stays so, and only the newest of it', () => {
  const { board } = new Play('a');
  const of = { run: runId(1), task: taskId('a') };
  const dismissed = (path: string, isForAll: boolean): void => {
    const event = { kind: 'writesDismissed', at: board.now, tree: '/t', paths: [path] } as const;
    board.apply({ ...event, of, isForAll });
  };
  dismissed('mine', false);
  dismissed('all', true);
  const copy = copyOf(board);
  const other = { run: runId(2), task: taskId('b') };
  const covered = (from: BoardModel): readonly boolean[] =>
    ['mine', 'all'].flatMap((path) =>
      [of, other].map((one) => from.owners.dismissed.covers({ tree: '/t', path, of: one })),
    );
  expect(covered(copy)).toEqual([true, false, true, true]);
  for (let count = 0; count < DISMISSED_LIMIT - 1; count += 1) dismissed(`${count}`, true);
  expect(covered(board)).toEqual([false, false, true, true]);
});
check('a board stays paused', ['a', 'pause'], [({ isPaused }) => isPaused, true]);
check(
  'the load, and how often it has changed',
  ['a', 'memory 95; rest; memory 10; rest; memory 99; rest'],
  [({ mode, loadChanges, load }) => [mode, loadChanges, load.memory], ['critical', 3, 0.99]],
);
check(
  'the turns of classes, for the scheduler and for workers',
  ['worker ann\na: priority high\nb\nc: agent, priority low\nd: agent', 'decide; ann claims'],
  [
    ({ credits, pullCredits }) => [credits, pullCredits],
    [
      [0, -15, 15, 0],
      [0, 0, -5, 5],
    ],
  ],
);
check(
  'the time, and when the last cycle ran',
  ['a: agent', '+20s; rest; +2s; pause a; resume a; rest'],
  [({ times: { now, lastCycleAt } }) => [now - AT, lastCycleAt - AT], [22_000, 20_000]],
);
check(
  'that something has happened since the last cycle',
  ['a: agent\nworker ann: busy', '+20s; rest; +1s; pause a; resume a'],
  [({ times }) => times.isCycleStale && times.lastCycleAt > AT, true],
);
check(
  'what the cycles did',
  ['worker ann\na: agent', 'rest; +20s; rest'],
  [({ totals }) => totals, { cycles: 2, recovered: 0, woken: 1, skipped: 1 }],
);
check(
  'what was lost since the last cycle',
  ['worker ann\na: agent, lease 5s', 'ann claims; ann starts a; +6s; decide'],
  [({ recovered }) => recovered, { count: 1, first: ['a'] }],
);
check(
  'runs that are stopped or interrupted',
  ['run older-run\na: running\nrun newer-run\nb', 'stop older-run; interrupt newer-run'],
  [
    ({ runs }) => Array.from(runs.values(), (run) => [run.isStopping, run.isInterrupted]),
    [
      [true, false],
      [false, true],
    ],
  ],
);
check(
  'how far a task was that has left its plan',
  ['a: failed\nb', 'retry a; revise only-run: b'],
  [
    (board) => [...(runOf(board)?.earlierRevisions ?? [])],
    [
      ['a', 2],
      ['b', 1],
    ],
  ],
);
check(
  'a task that has left its plan and comes back begins a new revision',
  ['a: failed\nb', 'retry a; revise only-run: b; revise only-run: a | b'],
  [(board) => entryOf(board, 'a')?.state.tries.revision, 3],
);
check(
  'how a task is, and since when it is ready',
  ['a: retries 3', '+1s; rest; a fails; +1ms'],
  [(board) => [entryOf(board, 'a')?.state.tries.failures, runOf(board)?.inBackoff.size], [1, 1]],
);
check(
  'since when a task is ready',
  ['a\nb: needs a, agent', '+1s; rest; a starts; +1s; a completes; +1s'],
  [(board) => (entryOf(board, 'b')?.readySince ?? 0) - AT, 2000],
);
check(
  'a task that is paused',
  ['a\nb', 'pause b'],
  [(board) => [entryOf(board, 'b')?.isPaused, idsOf(runOf(board)?.paused)], [true, ['b']]],
);
check(
  'how long a task starves',
  ['a: agent, capable tpu', '+3m; rest'],
  [(board) => entryOf(board, 'a')?.starvation?.cycles, 1],
);
check(
  'who was woken when',
  ['worker ann\na: agent', '+1s; rest'],
  [(board) => [...(entryOf(board, 'a')?.wokenAt ?? [])], [['ann', AT + 1000]]],
);
check(
  'what a holder wrote without having said so',
  ['a: writes src/a', 'rest; undeclared a src/b; undeclared a src/c'],
  [(board) => [...(entryOf(board, 'a')?.claim?.undeclared?.keys() ?? [])], ['src/b', 'src/c']],
);
check(
  'a holder that is to end',
  ['a: timeout 5s', 'rest; a starts; +1s; cancel a'],
  [(board) => [...board.claims.limits.inOrder()].map(({ at }) => at - AT), [5000]],
);
check(
  'a lost attempt, what it wrote, and that its task waits for it',
  [
    'worker ann\nrun only-run: limits db:1\na: agent, writes src/a, takes db:1',
    'ann claims a; ann starts a; undeclared a src/b; a is lost',
  ],
  [
    ({ owners, runs }) =>
      Array.from(owners.leftovers.values(), ({ owner, undeclared, asks }) => [
        asks.resources,
        (owner.until ?? 0) > AT,
        ...undeclared.keys(),
        [...runs.values()].flatMap(({ entries }) =>
          entries.map(({ leftover }) => leftover === owner),
        ),
      ]),
    [[{ db: 1 }, true, 'src/b', [true]]],
  ],
);
check(
  'a lost attempt keeps what it was given, whatever the task asks for by now',
  [
    'worker ann\na: agent, reads docs/b, writes src/a',
    'ann claims a; ann starts a; a is lost; revise only-run: a: agent, writes docs/a',
  ],
  [
    ({ owners }) => Array.from(owners.leftovers.values(), ({ patterns }) => patterns),
    [{ reads: ['docs/b'], writes: ['src/a'] }],
  ],
);
check(
  'lost attempts stand in the order in which they were lost',
  [
    'a: running, lease 5s, writes src/a\nb: running, lease 5s, writes src/b',
    'b is lost; +1ms; a is lost',
  ],
  [({ owners }) => Array.from(owners.leftovers.values(), ({ task }) => task), ['b', 'a']],
);
check(
  'the paths of people',
  ['a', 'ann owns reads src/** for 5s; bob owns docs/[ab] unsaved'],
  [
    ({ owners }) =>
      Array.from(owners.people.values(), ({ who, until, patterns }) => [who, until, patterns]),
    [
      [
        { kind: 'person', id: 'ann', isUnsaved: false },
        AT + 5000,
        { reads: ['src/**'], writes: [] },
      ],
      [
        { kind: 'person', id: 'bob', isUnsaved: true },
        undefined,
        { reads: [], writes: ['docs/[ab]'] },
      ],
    ],
  ],
);
check(
  'whose paths were a moment ago, and since when',
  ['a', '+1s; ann owns docs/x; +1s; ann frees; bob owns lib/x'],
  [
    ({ owners }) => [
      ...owners.past.all.map(({ owner, endedAt }) => [owner.worker, owner.since, endedAt]),
      ...Array.from(owners.people.values(), ({ worker, since }) => [worker, since]),
    ],
    [
      ['ann', AT + 1000, AT + 2000],
      ['bob', AT + 2000],
    ],
  ],
);
check(
  'who is here',
  ['worker ann: person, can code\na: agent', 'ann is busy; bob is idle'],
  [
    ({ workers }) => Array.from(workers.sessions.values(), ({ id, isIdle }) => [id, isIdle]),
    [
      ['ann', false],
      ['bob', true],
    ],
  ],
);
check(
  'places, and how often each has failed',
  [
    'host far: can code, limits cpu:2\na: on far, retries 9\nb: on far, retries 9',
    'rest; a is killed; b is killed; host far is unreachable',
  ],
  [
    ({ workers }) =>
      Array.from(workers.places.values(), ({ name, isReachable, limits, breaker }) => [
        name,
        isReachable,
        limits,
        breaker,
      ]),
    [
      ['local', true, {}, { kind: 'closed', failures: [] }],
      ['far', false, { cpu: 2 }, { kind: 'closed', failures: ['101', '102'] }],
    ],
  ],
);
check(
  'agents, and until when each is not to be called',
  [
    'agent claude: can code, may be started\na: starts claude\nb: starts claude',
    'rest; b starts; b fails; a starts; a limits',
  ],
  [
    ({ workers }) =>
      Array.from(workers.agents.values(), ({ mayBeStarted, breaker, coolDown }) => [
        mayBeStarted,
        breaker,
        coolDown,
      ]),
    [[true, { kind: 'closed', failures: ['102'] }, { until: AT + 60_000, strikes: 1 }]],
  ],
);

check(
  'of equals, who has been ready longest is who came first',
  [
    'a: writes x\nb: writes x, needs d\nc: writes x, needs e\nd: agent\ne: agent\nworker ann\nboard paused',
    'resume; pause a; ann claims e; ann starts e; e completes; ann claims d; ann starts d; d completes',
  ],
  [(board) => agesFrom(entryOf(board, 'c')!.lane?.oldest ?? entryOf(board, 'a')!), ['c', 'b']],
);
check(
  'who is to be skipped first is who was found first',
  [
    'd: agent\ne: agent\na: needs d\nb: needs e\nworker ann',
    'pause a; pause b; ann claims e; ann starts e; e fails; ann claims d; ann starts d; d fails',
  ],
  [(board) => idsOf(runOf(board)?.doomed), ['b', 'a']],
);
check(
  'who waits again first is who was found first',
  ['d: failed\ne: failed\na: needs d, skipped\nb: needs e, skipped', 'retry e; retry d'],
  [(board) => idsOf(runOf(board)?.revivable), ['b', 'a']],
);

const ranksIn = (board: BoardModel): readonly number[] =>
  idsOf(runOf(board)?.entries).map((id) => entryOf(board, id)?.rank ?? -1);

test('tasks on a cycle keep the class that they lend each other', () => {
  const on = new Play('a: needs b c\nb: needs a\nc: agent\nd: needs a, priority critical');
  play(on, 'cancel d');
  const copy = copyOf(on.board);
  expect(ranksIn(on.board)).toStrictEqual([0, 0, 0, 0]);
  expect(allOf(copy)).toStrictEqual(allOf(on.board));
  const before = on.events.length;
  play(on, 'retry d; cancel d');
  for (const event of on.events.slice(before)) copy.apply(event);
  expect(ranksIn(on.board)).toStrictEqual([0, 0, 0, 0]);
  expect(ranksIn(copy)).toStrictEqual([0, 0, 0, 0]);
});

test('a task waits for no earlier attempt of it than for the last', () => {
  const on = new Play('worker ann\na: agent, writes src/a');
  play(on, 'ann claims a; ann starts a; a is lost');
  const about = on.about('a');
  const [at, worker] = [on.now, workerId('ann')];
  const [claimed, started, lost] = [
    { kind: 'taskClaimed', at, term: 300, worker },
    { kind: 'taskStarted', at, term: 300 },
    { kind: 'taskLost', at, term: 300, cause: 'host-lost', retryAt: at },
  ] as const;
  on.wait(60_000);
  for (const event of [claimed, started, lost])
    on.apply({ kind: 'taskMoved', run: about.run, task: about.task, event });
  on.apply({ kind: 'leftoverGone', at, ...about, term: 300 });
  expect([...on.board.owners.leftovers.keys()]).toStrictEqual([101]);
  const copy = copyOf(on.board);
  expect(entryOf(on.board, 'a')?.leftover).toBeUndefined();
  expect(allOf(copy)).toStrictEqual(allOf(on.board));
});

test('the process that may decide is a fact', () => {
  for (const permission of ['granted', 'untrusted', 'shutting-down'] as const) {
    const board = boardOf('a');
    board.apply({ kind: 'permissionChanged', at: AT, permission });
    expect(copyOf(board).permission).toBe(permission);
  }
});

test('claims are told in the order in which they were made', () => {
  const text = `worker ann
worker bob
run only-run: limits db:3
a: agent, takes db:1
b: agent, takes db:1
c: agent, takes db:2`;
  const on = new Play(text);
  play(on, 'bob claims b; ann claims a');
  const [reasons, reasonsAfter] = [on.board, copyOf(on.board)].map((board) =>
    why(decideTurn(board, on.now), entryOf(board, 'c')!),
  );
  expect(reasons?.map(({ sentence }) => sentence).join(' ')).toContain('used by b, a.');
  expect(reasonsAfter).toStrictEqual(reasons);
});

test('who is in the way is told in the order in which they came', () => {
  const on = new Play('a: writes src/**\nb: writes src/b\nworker ann');
  play(on, 'pause a; ann owns src/a unsaved; rest; cat owns src/c unsaved');
  const [namesBefore, namesAfter] = [on.board, copyOf(on.board)].map((board) =>
    why(decideTurn(board, on.now), entryOf(board, 'a')!, {}).map(({ sentence }) => sentence),
  );
  expect(namesAfter).toStrictEqual(namesBefore);
  expect(allOf(copyOf(on.board))).toStrictEqual(allOf(on.board));
});

test('what JSON cannot say survives it', () => {
  const asks = {
    doer: { kind: 'agent' },
    leaseMs: undefined,
    resources: { db: Number.POSITIVE_INFINITY, gpu: Number.NaN },
  } as const;
  const tasks = [
    definition('a', { command: undefined, asks, env: { '~': '~undefined', ['__proto__']: 'x' } }),
  ];
  const limits = { db: Number.POSITIVE_INFINITY, cpu: -0 };
  const policy = { parallel: Number.POSITIVE_INFINITY, failFast: false, limits };
  const board = new BoardModel({ foldCase: false });
  const load = { queueLimit: Number.POSITIVE_INFINITY, memory: 0, cpu: 0 };
  const events: readonly BoardEvent[] = [
    { kind: 'loadMeasured', at: AT, load },
    { kind: 'runSubmitted', at: AT, manifest: { ...manifest(1, { tasks }), policy } },
  ];
  for (const event of events) expect(board.apply(event)).toBe('moved');
  const copy = copyOf(board);
  expect(copy.load).toStrictEqual(load);
  expect(copy.runs.get(runId(1))?.manifest).toStrictEqual(board.runs.get(runId(1))?.manifest);
  expect(entryOf(copy, 'a')?.asks).toStrictEqual(entryOf(board, 'a')?.asks);
});

test('which attempts a person lets start beside a file is a fact', () => {
  const board = boardOf('a');
  const lets = [{ run: runId(1), task: taskId('a'), revision: 1, attempt: 1 }];
  const paths = { reads: [], writes: ['src/x'], isUnsaved: true };
  const owned = { id: 'b', worker: workerId('person/kim'), tree: '/project', ...paths, lets };
  expect(board.apply({ kind: 'pathsOwned', at: AT, ...owned })).toBe('moved');
  expect(copyOf(board).owners.people.get('b')?.lets).toEqual(lets);
});

test('facts of another version are not understood, nor is what are no facts', () => {
  const facts = factsOf(boardOf('a'));
  expect(parseFacts(facts)).toBe(facts);
  for (const other of [
    { ...facts, version: 2 },
    { version: 1 },
    {},
    [],
    'facts',
    1,
    null,
    undefined,
  ])
    expect(parseFacts(other)).toBeUndefined();
});
