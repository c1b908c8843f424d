import { expect, test } from 'vitest';
import {
  isFinal,
  isHeld,
  type TaskEvent,
  type TaskState,
  transition,
} from '../../../server/domain/task.ts';
import { instant } from '../../../server/domain/time.ts';
import { AT, PROCESS, STATE_KINDS, stateOf, taskId } from '../../support/snapshots.ts';

const LATER = instant(2000);

/** States of the table hold term 1, if any. */
function eventOf(kind: TaskEvent['kind'], term = 1): TaskEvent {
  const events: Readonly<Record<TaskEvent['kind'], TaskEvent>> = {
    taskClaimed: { kind: 'taskClaimed', term, at: LATER },
    taskStarted: { kind: 'taskStarted', term, at: LATER, process: PROCESS },
    taskCompleted: { kind: 'taskCompleted', term, at: LATER },
    taskFailed: { kind: 'taskFailed', term, at: LATER, failure: { kind: 'exit', code: 2 } },
    taskReleased: { kind: 'taskReleased', term, at: LATER, reason: 'lost' },
    taskCancelled: { kind: 'taskCancelled', at: LATER },
    taskSkipped: { kind: 'taskSkipped', at: LATER, because: taskId('lint') },
  };
  return events[kind];
}

/** What becomes of a state: its new kind, or why the event is refused. */
function outcome(state: TaskState, event: TaskEvent): string {
  const result = transition(state, event);
  return result.kind === 'moved' ? result.state.kind : `refused: ${result.why}`;
}

/** One row for each state: what each event does to it, in the order of the columns. */
const COLUMNS = [
  'taskClaimed',
  'taskStarted',
  'taskCompleted',
  'taskFailed',
  'taskReleased',
  'taskCancelled',
  'taskSkipped',
] as const;
const TABLE: Readonly<Record<TaskState['kind'], string>> = {
  pending: 'claimed / stale / stale / stale / stale / cancelled / skipped',
  claimed: 'out-of-order / running / completed / failed / pending / cancelled / out-of-order',
  running: 'out-of-order / out-of-order / completed / failed / pending / cancelled / out-of-order',
  completed: 'final / final / final / final / final / final / final',
  failed: 'final / final / final / final / final / final / final',
  cancelled: 'final / final / final / final / final / final / final',
  skipped: 'final / final / final / final / final / final / final',
};

test.for(
  STATE_KINDS.flatMap((state) => {
    const cells = TABLE[state].split(' / ');
    return COLUMNS.map((event, column) => [state, event, cells[column] ?? ''] as const);
  }),
)('a %s task that hears %s: %s', ([state, event, expected]) => {
  expect(outcome(stateOf(state), eventOf(event)).replace('refused: ', '')).toBe(expected);
});

const TERMED = COLUMNS.filter((kind) => kind !== 'taskCancelled' && kind !== 'taskSkipped');

test.for(
  (['claimed', 'running'] as const).flatMap((state) =>
    TERMED.filter((event) => event !== 'taskClaimed').flatMap((event) =>
      [0, 2].map((term) => [state, event, term] as const),
    ),
  ),
)('a %s task of term 1 refuses %s of term %i', ([state, event, term]) => {
  expect(outcome(stateOf(state), eventOf(event, term))).toBe('refused: stale');
});

function check(name: string, events: readonly TaskEvent[], expected: TaskState): void {
  test(name, () => {
    let state: TaskState = stateOf('pending');
    for (const event of events) {
      const result = transition(state, event);
      if (result.kind === 'moved') ({ state } = result);
    }
    expect(state).toStrictEqual(expected);
  });
}

check(
  'the first final state wins',
  [eventOf('taskClaimed'), eventOf('taskCompleted'), eventOf('taskFailed')],
  { kind: 'completed', attempts: 1, startedAt: LATER, finishedAt: LATER },
);
check(
  'every claim counts as an attempt',
  [eventOf('taskClaimed'), eventOf('taskReleased'), eventOf('taskClaimed', 2)],
  { kind: 'claimed', attempts: 2, term: 2, claimedAt: LATER },
);
check(
  'a released task knows why, and keeps its count of attempts',
  [eventOf('taskClaimed'), eventOf('taskReleased')],
  { kind: 'pending', attempts: 1, releasedFor: 'lost' },
);
check(
  'who lost the claim cannot complete the task for who holds it now',
  [
    eventOf('taskClaimed'),
    eventOf('taskReleased'),
    eventOf('taskClaimed', 2),
    eventOf('taskCompleted'),
  ],
  { kind: 'claimed', attempts: 2, term: 2, claimedAt: LATER },
);
check('a started task carries its process', [eventOf('taskClaimed'), eventOf('taskStarted')], {
  kind: 'running',
  attempts: 1,
  term: 1,
  startedAt: LATER,
  process: PROCESS,
});
check('a task that was never claimed is cancelled without an attempt', [eventOf('taskCancelled')], {
  kind: 'cancelled',
  attempts: 0,
  finishedAt: LATER,
});
check('a skipped task names the one it was skipped for', [eventOf('taskSkipped')], {
  kind: 'skipped',
  because: taskId('lint'),
  finishedAt: LATER,
});

test('a task that ran keeps the time of its start', () => {
  const result = transition(stateOf('running'), eventOf('taskFailed'));
  expect(result).toStrictEqual({
    kind: 'moved',
    state: {
      kind: 'failed',
      attempts: 1,
      startedAt: AT,
      finishedAt: LATER,
      failure: { kind: 'exit', code: 2 },
    },
  });
});

test.for([
  ['pending', false, false],
  ['claimed', true, false],
  ['running', true, false],
  ['completed', false, true],
  ['failed', false, true],
  ['cancelled', false, true],
  ['skipped', false, true],
] as const)('a %s task is held: %s, final: %s', ([kind, held, final]) => {
  expect([isHeld(stateOf(kind)), isFinal(stateOf(kind))]).toStrictEqual([held, final]);
});
