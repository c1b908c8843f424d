import { expect, test } from 'vitest';
import {
  NEW_TASK,
  type TaskEvent,
  type TaskState,
  transition,
  type Tries,
} from '../../../server/domain/task.ts';
import { instant } from '../../../server/domain/time.ts';
import { AT, PROCESS, stateOf, taskId, workerId } from '../../support/snapshots.ts';

const at = instant(2000);
const retryAt = instant(3000);
const worker = workerId('runner/local');

const COMPLETED: TaskEvent = { kind: 'taskCompleted', term: 1, at };
const FAILED: TaskEvent = {
  kind: 'taskFailed',
  term: 1,
  at,
  failure: { kind: 'exit', code: 2 },
};
const STARTED: TaskEvent = { kind: 'taskStarted', term: 1, at, process: PROCESS };
const RELEASED: TaskEvent = { kind: 'taskReleased', term: 1, at, reason: 'lost' };
const LOST: TaskEvent = { kind: 'taskLost', term: 1, at, cause: 'lease-expired' };
const STOP: TaskEvent = { kind: 'stopAsked', term: 1, at, why: 'timeout', signal: 'kill' };

function claimed(term = 1): TaskEvent {
  return { kind: 'taskClaimed', term, at, worker };
}

function tries(attempts: number, more: Partial<Tries> = {}): Tries {
  return { revision: 1, attempts, failures: 0, losses: 0, ...more };
}

/** What a new task is after these; those that are refused change nothing. */
function check(name: string, events: readonly TaskEvent[], expected: TaskState): void {
  test(name, () => {
    let state: TaskState = NEW_TASK;
    for (const event of events) {
      const result = transition(state, event);
      if (result.kind === 'moved') ({ state } = result);
    }
    expect(state).toStrictEqual(expected);
  });
}

const ONCE = tries(1);

check('the first final state wins', [claimed(), COMPLETED, FAILED], {
  kind: 'completed',
  tries: ONCE,
  startedAt: at,
  finishedAt: at,
});
check('every claim counts as an attempt', [claimed(), RELEASED, claimed(2)], {
  kind: 'claimed',
  tries: tries(2),
  term: 2,
  worker,
  claimedAt: at,
});
check('a released task knows why, and keeps its count of attempts', [claimed(), RELEASED], {
  kind: 'pending',
  tries: ONCE,
  releasedFor: 'lost',
});
check(
  'who lost the claim cannot complete the task for who holds it now',
  [claimed(), RELEASED, claimed(2), COMPLETED],
  { kind: 'claimed', tries: tries(2), term: 2, worker, claimedAt: at },
);
check('a started task carries its process', [claimed(), STARTED], {
  kind: 'running',
  tries: ONCE,
  term: 1,
  worker,
  startedAt: at,
  process: PROCESS,
});
check(
  'a claim keeps its deadline and the stop that was asked of it when it starts',
  [{ kind: 'taskClaimed', term: 1, at, worker, expiresAt: retryAt }, STOP, STARTED],
  {
    kind: 'running',
    tries: ONCE,
    term: 1,
    worker,
    startedAt: at,
    process: PROCESS,
    expiresAt: retryAt,
    leaseMs: retryAt - at,
    stop: { why: 'timeout', signal: 'kill', at },
  },
);
check(
  'a task that was never claimed is cancelled without an attempt',
  [{ kind: 'taskCancelled', at }],
  { kind: 'cancelled', tries: tries(0), finishedAt: at },
);
check(
  'a skipped task names the one it was skipped for',
  [{ kind: 'taskSkipped', at, because: taskId('lint') }],
  { kind: 'skipped', tries: tries(0), because: taskId('lint'), finishedAt: at },
);
check(
  'a skipped task that is revived begins a new revision',
  [
    { kind: 'taskSkipped', at, because: taskId('lint') },
    { kind: 'taskRevived', at },
  ],
  { kind: 'pending', tries: tries(0, { revision: 2 }) },
);
check(
  'a failure that is tried again waits, and is counted',
  [claimed(), STARTED, { ...FAILED, retryAt }],
  { kind: 'pending', tries: tries(1, { failures: 1 }), notBefore: retryAt },
);
check('a lost attempt that is made good waits, and is counted', [claimed(), { ...LOST, retryAt }], {
  kind: 'pending',
  tries: tries(1, { losses: 1 }),
  releasedFor: 'lost',
  notBefore: retryAt,
});
check('an attempt that is lost too often waits for a person', [claimed(), LOST], {
  kind: 'attention',
  tries: tries(1, { losses: 1 }),
  why: 'poisoned',
  since: at,
  holder: undefined,
});
check(
  'what a person retries begins a new revision, with nothing counted',
  [claimed(), LOST, { kind: 'taskRetried', at }],
  { kind: 'pending', tries: tries(0, { revision: 2 }) },
);
check(
  'a sign of life clears the flag',
  [claimed(), STARTED, { kind: 'taskStuck', term: 1, at }, { kind: 'taskProgressed', term: 1, at }],
  { kind: 'running', tries: ONCE, term: 1, worker, startedAt: at, process: PROCESS },
);

test('a task that ran keeps the time of its start', () => {
  const result = transition(stateOf('running'), FAILED);
  expect(result).toStrictEqual({
    kind: 'moved',
    state: {
      kind: 'failed',
      tries: tries(1, { failures: 1 }),
      startedAt: AT,
      finishedAt: at,
      failure: { kind: 'exit', code: 2 },
    },
  });
});
