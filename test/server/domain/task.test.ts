import { expect, test } from 'vitest';
import {
  holderOf,
  isFinal,
  type RunningState,
  type TaskEvent,
  type TaskState,
  transition,
} from '../../../server/domain/task.ts';
import { instant } from '../../../server/domain/time.ts';
import {
  AT,
  FIRST_TRY,
  PROCESS,
  STATE_KINDS,
  stateOf,
  taskId,
  workerId,
} from '../../support/snapshots.ts';

const LATER = instant(2000);
const RETRY_AT = instant(3000);
const worker = workerId('runner/local');

/** States of the table hold term 1, if any. */
function eventOf(kind: TaskEvent['kind'], term = 1): TaskEvent {
  const at = LATER;
  const events: Readonly<Record<TaskEvent['kind'], TaskEvent>> = {
    taskClaimed: { kind: 'taskClaimed', term, at, worker },
    taskStarted: { kind: 'taskStarted', term, at, process: PROCESS },
    leaseRenewed: { kind: 'leaseRenewed', term, at, expiresAt: RETRY_AT },
    stopAsked: { kind: 'stopAsked', term, at, why: 'cancelled', signal: 'terminate' },
    endAnnounced: { kind: 'endAnnounced', term, at, ending: { kind: 'completed' } },
    holderLeft: { kind: 'holderLeft', term, at, expiresAt: RETRY_AT, left: 'ended' },
    taskProgressed: { kind: 'taskProgressed', term, at },
    taskStuck: { kind: 'taskStuck', term, at },
    taskAsked: { kind: 'taskAsked', term, at },
    taskCompleted: { kind: 'taskCompleted', term, at },
    taskFailed: { kind: 'taskFailed', term, at, failure: { kind: 'exit', code: 2 } },
    taskLost: { kind: 'taskLost', term, at, cause: 'host-lost', retryAt: RETRY_AT },
    taskReleased: { kind: 'taskReleased', term, at, reason: 'lost' },
    taskCancelled: { kind: 'taskCancelled', at },
    taskSkipped: { kind: 'taskSkipped', at, because: taskId('lint') },
    taskRevived: { kind: 'taskRevived', at },
    taskFlagged: { kind: 'taskFlagged', at, why: 'starved' },
    taskRetried: { kind: 'taskRetried', at },
  };
  return events[kind];
}

/** A running task that a person has to look at while it goes on. */
const STUCK: TaskState = {
  kind: 'attention',
  tries: FIRST_TRY,
  why: 'stuck',
  since: AT,
  holder: runningState(),
};

const STATES = [...STATE_KINDS, 'stuck'] as const;

function named(state: (typeof STATES)[number]): TaskState {
  return state === 'stuck' ? STUCK : stateOf(state);
}

/** What becomes of a state: its new kind, or why the event is refused. */
function outcome(state: TaskState, event: TaskEvent): string {
  const result = transition(state, event);
  return result.kind === 'moved' ? result.state.kind : `refused: ${result.why}`;
}

/** One row for each event: what it does to each state, in the order of `STATES`. */
const TABLE: Readonly<Record<TaskEvent['kind'], string>> = {
  taskClaimed: `claimed / out-of-order / out-of-order / out-of-order / ${finals('final')} / out-of-order`,
  taskStarted: `stale / running / out-of-order / stale / ${finals('final')} / out-of-order`,
  leaseRenewed: `stale / claimed / running / stale / ${finals('final')} / attention`,
  stopAsked: `stale / claimed / running / stale / ${finals('final')} / attention`,
  endAnnounced: `stale / claimed / running / stale / ${finals('final')} / attention`,
  holderLeft: `stale / claimed / running / stale / ${finals('final')} / attention`,
  taskProgressed: `stale / claimed / running / stale / ${finals('final')} / running`,
  taskStuck: `stale / out-of-order / attention / stale / ${finals('final')} / out-of-order`,
  taskAsked: `stale / attention / attention / stale / ${finals('final')} / attention`,
  taskCompleted: `stale / completed / completed / stale / ${finals('final')} / completed`,
  taskFailed: `stale / failed / failed / stale / ${finals('final')} / failed`,
  taskLost: `stale / pending / pending / stale / ${finals('final')} / pending`,
  taskReleased: `stale / pending / pending / stale / ${finals('final')} / pending`,
  taskCancelled: `cancelled / cancelled / cancelled / cancelled / ${finals('final')} / cancelled`,
  taskSkipped: `skipped / out-of-order / out-of-order / out-of-order / ${finals('final')} / out-of-order`,
  taskFlagged: `attention / out-of-order / out-of-order / out-of-order / ${finals('final')} / out-of-order`,
  taskRevived:
    'out-of-order / out-of-order / out-of-order / out-of-order / ' +
    'out-of-order / out-of-order / out-of-order / pending / out-of-order',
  taskRetried: `out-of-order / out-of-order / out-of-order / pending / ${finals('pending')} / out-of-order`,
};

/** Completed, failed, cancelled and skipped hear the same. */
function finals(cell: string): string {
  return [cell, cell, cell, cell].join(' / ');
}

function cellsOf(event: string): readonly (readonly [string, string])[] {
  const row = Object.entries(TABLE).find(([kind]) => kind === event)?.[1] ?? '';
  const cells = row.split(' / ');
  return STATES.map((state, column) => [state, cells[column] ?? ''] as const);
}

test.for(
  kindsOfEvents().flatMap((event) =>
    cellsOf(event).map(([state, expected]) => [state, event, expected] as const),
  ),
)('a %s task that hears %s: %s', ([state, event, expected]) => {
  const found = STATES.find((each) => each === state) ?? 'pending';
  expect(outcome(named(found), eventOf(event)).replace('refused: ', '')).toBe(expected);
});

const UNTERMED: ReadonlySet<string> = new Set([
  'taskClaimed',
  'taskCancelled',
  'taskSkipped',
  'taskRevived',
  'taskFlagged',
  'taskRetried',
]);

test.for(
  (['claimed', 'running', 'stuck'] as const).flatMap((state) =>
    kindsOfEvents()
      .filter((event) => !UNTERMED.has(event))
      .flatMap((event) => [0, 2].map((term) => [state, event, term] as const)),
  ),
)('a %s task of term 1 refuses %s of term %i', ([state, event, term]) => {
  expect(outcome(named(state), eventOf(event, term))).toBe('refused: stale');
});

test.for([
  ['pending', false, false],
  ['claimed', true, false],
  ['running', true, false],
  ['attention', false, false],
  ['stuck', true, false],
  ['completed', false, true],
  ['failed', false, true],
  ['cancelled', false, true],
  ['skipped', false, true],
] as const)('a %s task is held: %s, final: %s', ([kind, held, final]) => {
  const state = named(kind);
  expect([holderOf(state) !== undefined, isFinal(state)]).toStrictEqual([held, final]);
});

function kindsOfEvents(): readonly TaskEvent['kind'][] {
  const all: TaskEvent['kind'][] = [];
  for (const kind in TABLE) if (isEvent(kind)) all.push(kind);
  return all;
}

function isEvent(kind: string): kind is TaskEvent['kind'] {
  return Object.hasOwn(TABLE, kind);
}

function runningState(): RunningState {
  return { kind: 'running', tries: FIRST_TRY, term: 1, worker, startedAt: AT };
}

test('what is completed without having been begun has taken as long as its claim', () => {
  expect(transition(stateOf('claimed'), eventOf('taskCompleted'))).toMatchObject({
    state: { kind: 'completed', startedAt: AT, finishedAt: LATER },
  });
});
