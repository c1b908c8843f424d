import { expect, test } from 'vitest';
import { NEW_TASK, type TaskEvent, type TaskState } from '../../../server/domain/task.ts';
import { instant } from '../../../server/domain/time.ts';
import type { Store } from '../../../server/engine/store-port.ts';
import type { Decision } from '../../../server/scheduler/decision.ts';
import { aboutTry, claimOf } from '../decisions.ts';
import { workerId } from '../snapshots.ts';
import {
  a,
  b,
  type BoardOnTrial,
  claim,
  folded,
  kept,
  moved,
  PROCESS as process,
  stateOf,
  stood,
  withRun,
} from './board-on-trial.ts';

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

const LEFT_LEASE = { ...LEASE, expiresAt: later, left: 'ended' } as const;
const LEFT: TaskEvent = { kind: 'holderLeft', term: 1, at, expiresAt: later, left: 'ended' };

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
  [
    'says how it will end',
    [
      STARTED,
      { kind: 'endAnnounced', term: 1, at, ending: { kind: 'failed', failure: TIMED_OUT } },
    ],
    { ...RUNNING, ...LEASE, ending: { kind: 'failed', failure: TIMED_OUT } },
  ],
  [
    'says so before its start is written',
    [{ kind: 'endAnnounced', term: 1, at, ending: { kind: 'released' } }, STARTED_HERE],
    { ...RUNNING, ...LEASE, ending: { kind: 'released' }, process },
  ],
  ['is left by its agent', [STARTED, LEFT], { ...RUNNING, ...LEFT_LEASE }],
  ['is left before its start is written', [LEFT, STARTED], { ...RUNNING, ...LEFT_LEASE }],
  [
    'is left, and renewed in time',
    [STARTED, LEFT, { kind: 'leaseRenewed', term: 1, at, expiresAt: instant(999) }],
    { ...RUNNING, expiresAt: instant(999), leaseMs: 999 - at },
  ],
  [
    'is tried again later',
    [STARTED, { kind: 'taskReleased', term: 1, at, reason: 'released', retryAt: later }],
    { kind: 'pending', tries: { ...ONCE, releases: 1 }, releasedFor: 'released', notBefore: later },
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
export function stateContract(begin: () => BoardOnTrial): void {
  keptContract(begin);
  triesContract(begin);
}

function keptContract(begin: () => BoardOnTrial): void {
  for (const [name, events, expected] of AFTER_CLAIM)
    test(`a claimed task that ${name} is kept as it is`, () => {
      const board = begin();
      const store = withRun(board);
      store.commit(1, [claimOf({ task: a }, { worker, expiresAt: later })]);
      for (const event of events)
        expect(store.record([moved(event)])).toMatchObject({ kind: 'recorded' });
      expect(keptStates(board, store)).toStrictEqual([expected, expected]);
      expect(folded(store.snapshot().entries)).toEqual(kept(store));
    });

  test('a task that nobody took is kept as it is', () => {
    const board = begin();
    const store = withRun(board);
    stood(store, { ...aboutTry({ task: a }), kind: 'flag-starved', cycles: 10, queuedMs: 1 });
    const { tries } = NEW_TASK;
    const expected = { kind: 'attention', tries, why: 'starved', since: at, holder: undefined };
    expect(keptStates(board, store)).toStrictEqual([expected, expected]);
  });

  test('what is about no run is kept in the ledger', () => {
    const store = withRun(begin());
    const reading = { queued: 0, queueLimit: 1, memory: 1, cpu: 0 };
    const mode = 'critical';
    const load: Decision = { kind: 'change-load', number: 1, from: 'normal', mode, reading };
    expect(stood(store, load)).toEqual([load]);
    expect(store.events(1, 1)).toMatchObject([{ event: { kind: 'loadChanged', at, mode } }]);
  });
}

function triesContract(begin: () => BoardOnTrial): void {
  test('a skipped task that is revived waits again, in its next revision', () => {
    const board = begin();
    const store = withRun(board);
    const revive: Decision = { ...aboutTry({ task: a }), kind: 'revive' };
    expect(stood(store, revive)).toEqual([]);
    stood(store, { ...aboutTry({ task: a }), kind: 'skip', because: b });
    expect(stood(store, revive)).toEqual([revive]);
    const tries = { revision: 2, attempts: 0, failures: 0, losses: 0 };
    const expected = { kind: 'pending', tries };
    expect(keptStates(board, store)).toStrictEqual([expected, expected]);
    expect(stood(store, claimOf({ task: a }))).toEqual([]);
    expect(claim(store, claimOf({ task: a, revision: 2 }))).toBe(1);
  });

  test('a decision about a try that has gone by is refused', () => {
    const store = withRun(begin());
    const stop = { kind: 'stop', why: 'cancelled', signal: 'terminate', dueAt: at } as const;
    const term = claim(store);
    store.record([moved({ kind: 'taskReleased', term, at, reason: 'lost' })]);
    const before = store.lastSequence();
    const gone: readonly Decision[] = [
      claimOf({ task: a }),
      claimOf({ task: a, attempt: 2, revision: 2 }),
      { ...aboutTry({ task: a }), kind: 'skip', because: b },
      { ...aboutTry({ task: a, attempt: 2 }), kind: 'cancel', why: 'stop-requested' },
      { ...aboutTry({ task: a, attempt: 1 }), ...stop, term: 1 },
    ];
    expect(stood(store, ...gone)).toEqual([]);
    expect(store.lastSequence()).toBe(before);
    expect(claim(store, claimOf({ task: a, attempt: 2 }))).toBe(2);
    const stopAgain = { ...aboutTry({ task: a, attempt: 2 }), ...stop, term: 2 };
    expect(stood(store, { ...stopAgain, term: 1 })).toEqual([]);
    expect(stood(store, stopAgain)).toEqual([stopAgain]);
  });
}

/** As whoever writes reads it, and as another process does that opens the board now. */
function keptStates(board: BoardOnTrial, store: Store): readonly unknown[] {
  return [
    board
      .open()
      .latestStates('/project')
      .find(({ task }) => task === a)?.state,
    stateOf(store),
  ];
}
