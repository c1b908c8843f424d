import { expect, test } from 'vitest';
import { NEW_TASK, type TaskEvent, type TaskState } from '../../../server/domain/task.ts';
import { instant } from '../../../server/domain/time.ts';
import type { Store } from '../../../server/engine/ports.ts';
import type { Decision } from '../../../server/scheduler/decision.ts';
import { aboutTry, claimOf } from '../decisions.ts';
import { manifest, runId, taskId } from '../runs.ts';
import { workerId } from '../snapshots.ts';

const [a, b] = [taskId('a'), taskId('b')];
const process = { bootId: 'boot', pid: 42, startTime: '7' };
const at = instant(100);
const later = instant(900);
const worker = workerId('ann@laptop');

const ONCE = { revision: 1, attempts: 1, failures: 0, losses: 0 };
const HELD = { tries: ONCE, term: 1, worker };
const STOP = { why: 'timeout', signal: 'kill', at } as const;
const LEASE = { expiresAt: later, leaseMs: later - at };
const RUNNING = { kind: 'running', ...HELD, startedAt: at } as const;

const STARTED: TaskEvent = { kind: 'taskStarted', term: 1, at };
const STARTED_HERE: TaskEvent = { ...STARTED, process };
const STUCK: TaskEvent = { kind: 'taskStuck', term: 1, at };
const STOP_ASKED: TaskEvent = { kind: 'stopAsked', term: 1, at, why: 'timeout', signal: 'kill' };
const ASKED: TaskEvent = { kind: 'taskAsked', term: 1, at };
const RETRIED: TaskEvent = { kind: 'taskRetried', at };
const FAILED: TaskEvent = { kind: 'taskFailed', term: 1, at, failure: { kind: 'exit', code: 3 } };
const TIMED_OUT = { kind: 'timeout', limitMs: 5000 } as const;
const LOST: TaskEvent = { kind: 'taskLost', term: 1, at, cause: 'host-lost' };

/** What becomes of a task that was claimed, and how it is kept. */
const AFTER_CLAIM: readonly (readonly [string, readonly TaskEvent[], TaskState])[] = [
  ['is claimed', [], { kind: 'claimed', ...HELD, ...LEASE, claimedAt: at }],
  [
    'is asked to end before it starts',
    [STOP_ASKED],
    { kind: 'claimed', ...HELD, ...LEASE, claimedAt: at, stop: STOP },
  ],
  ['runs here', [STARTED_HERE], { ...RUNNING, ...LEASE, process }],
  ['runs out of our sight', [STARTED], { ...RUNNING, ...LEASE }],
  [
    'renews its lease',
    [STARTED, { kind: 'leaseRenewed', term: 1, at, expiresAt: instant(999) }],
    { ...RUNNING, expiresAt: instant(999), leaseMs: 999 - at },
  ],
  ['is asked to end', [STARTED, STOP_ASKED], { ...RUNNING, ...LEASE, stop: STOP }],
  [
    'is stuck, and goes on',
    [STARTED_HERE, STOP_ASKED, STUCK],
    {
      kind: 'attention',
      tries: ONCE,
      why: 'stuck',
      since: at,
      holder: { ...RUNNING, ...LEASE, stop: STOP, process },
    },
  ],
  [
    'asks a person',
    [STARTED, ASKED],
    { kind: 'attention', tries: ONCE, why: 'asked', since: at, holder: undefined },
  ],
  [
    'is lost too often',
    [LOST],
    {
      kind: 'attention',
      tries: { ...ONCE, losses: 1 },
      why: 'poisoned',
      since: at,
      holder: undefined,
    },
  ],
  [
    'is lost and comes back',
    [{ ...LOST, retryAt: later }],
    {
      kind: 'pending',
      tries: { ...ONCE, losses: 1 },
      releasedFor: 'lost',
      notBefore: later,
    },
  ],
  [
    'fails and comes back',
    [{ ...FAILED, retryAt: later }],
    { kind: 'pending', tries: { ...ONCE, failures: 1 }, notBefore: later },
  ],
  [
    'takes too long',
    [STARTED, { ...FAILED, failure: TIMED_OUT }],
    {
      kind: 'failed',
      tries: { ...ONCE, failures: 1 },
      startedAt: at,
      finishedAt: at,
      failure: TIMED_OUT,
    },
  ],
  [
    'fails and is retried by a person',
    [FAILED, RETRIED],
    { kind: 'pending', tries: { revision: 2, attempts: 0, failures: 0, losses: 0 } },
  ],
];

/** What a state is made of survives, whatever keeps it; a decision fits one try of a task only. */
export function stateContract(open: () => Store): void {
  keptContract(open);
  triesContract(open);
}

function keptContract(open: () => Store): void {
  for (const [name, events, expected] of AFTER_CLAIM)
    test(`a claimed task that ${name} is kept as it is`, () => {
      const store = open();
      store.submit(manifest(1), []);
      store.commit([claimOf({ task: a }, { worker, expiresAt: later })], at);
      for (const event of events)
        expect(store.record(runId(1), a, event)).toMatchObject({ kind: 'moved' });
      expect(keptStates(store)).toStrictEqual([expected, expected]);
    });

  test('a task that nobody took is kept as it is', () => {
    const store = open();
    store.submit(manifest(1), []);
    store.commit([{ ...aboutTry({ task: a }), kind: 'flag-starved', cycles: 10, queuedMs: 1 }], at);
    const { tries } = NEW_TASK;
    const expected = { kind: 'attention', tries, why: 'starved', since: at, holder: undefined };
    expect(keptStates(store)).toStrictEqual([expected, expected]);
  });

  test('what is about no run is not kept', () => {
    const store = open();
    const reading = { queued: 0, queueLimit: 1, memory: 1, cpu: 0 };
    const number = 1;
    const load: Decision = {
      kind: 'change-load',
      number,
      from: 'normal',
      mode: 'critical',
      reading,
    };
    expect(store.commit([load], at)).toEqual([]);
    expect(store.lastSequence()).toBe(0);
  });
}

function triesContract(open: () => Store): void {
  test('a skipped task that is revived waits again, in its next revision', () => {
    const store = open();
    store.submit(manifest(1), []);
    const revive: Decision = { ...aboutTry({ task: a }), kind: 'revive' };
    expect(store.commit([revive], at)).toEqual([]);
    store.commit([{ ...aboutTry({ task: a }), kind: 'skip', because: b }], at);
    expect(store.commit([revive], at)).toEqual([revive]);
    const tries = { revision: 2, attempts: 0, failures: 0, losses: 0 };
    const expected = { kind: 'pending', tries };
    expect(keptStates(store)).toStrictEqual([expected, expected]);
    expect(store.commit([claimOf({ task: a })], at)).toEqual([]);
    expect(store.commit([claimOf({ task: a, revision: 2 })], at)).toMatchObject([{ term: 1 }]);
  });

  test('a decision about a try that has gone by is refused', () => {
    const store = open();
    store.submit(manifest(1), []);
    const stop = { kind: 'stop', why: 'cancelled', signal: 'terminate', dueAt: at } as const;
    store.commit([claimOf({ task: a })], at);
    store.record(runId(1), a, { kind: 'taskReleased', term: 1, at, reason: 'lost' });
    const before = store.lastSequence();
    const gone: readonly Decision[] = [
      claimOf({ task: a }),
      claimOf({ task: a, attempt: 2, revision: 2 }),
      { ...aboutTry({ task: a }), kind: 'skip', because: b },
      { ...aboutTry({ task: a, attempt: 2 }), kind: 'cancel', why: 'stop-requested' },
      { ...aboutTry({ task: a, attempt: 1 }), ...stop, term: 1 },
    ];
    expect(store.commit(gone, at)).toEqual([]);
    expect(store.lastSequence()).toBe(before);
    const [again] = store.commit([claimOf({ task: a, attempt: 2 })], at);
    expect(again).toMatchObject({ kind: 'claim', attempt: 2, term: 2 });
    const stopAgain = { ...aboutTry({ task: a, attempt: 2 }), ...stop, term: 2 };
    expect(store.commit([{ ...stopAgain, term: 1 }], at)).toEqual([]);
    expect(store.commit([stopAgain], at)).toEqual([stopAgain]);
  });
}

/** As a view reads it, and as whoever decides does. */
function keptStates(store: Store): readonly unknown[] {
  return [
    store.latestStates('/project').find(({ task }) => task === a)?.state,
    store.unfinishedRuns()[0]?.states.get(a),
  ];
}
