import { expect, test } from 'vitest';
import { statusOf } from '../../../server/board/task-status.ts';
import type { TaskState } from '../../../server/domain/task.ts';
import { instant } from '../../../server/domain/time.ts';
import type { TaskRecord } from '../../../server/engine/store-port.ts';
import { Turn } from '../../../server/scheduler/predicate/turn.ts';
import { AT, boardOf, FIRST_TRY, stateOf, taskId, workerId } from '../../support/snapshots.ts';

interface Case {
  readonly state: TaskState;
  readonly runStatus?: TaskRecord['runStatus'];
  readonly obstacle?: string;
  /** The board; the task is `a` of its only run. */
  readonly board?: string;
}

/** What is said of a task, as `kind: detail`. */
function check(name: string, of: Case, expected: string): void {
  test(name, () => {
    const { state, runStatus = 'active', obstacle, board } = of;
    const turn = board === undefined ? undefined : new Turn(boardOf(board), AT);
    const [run] = boardOf('a').runs.keys();
    if (run === undefined) throw new Error('The board has a run.');
    const record = { run, plan: 'interlock.yaml', task: taskId('a'), state, runStatus };
    const { kind, detail } = statusOf(record, obstacle, turn);
    expect(`${kind}: ${detail}`.trimEnd()).toBe(expected);
  });
}

const pending = stateOf('pending');
const tries = { ...FIRST_TRY, attempts: 2 };

check('a task that may start is ready', { state: pending, board: 'a' }, 'ready:');
check(
  'a task that nobody starts is ready for whoever takes it',
  { state: pending, board: 'worker ann\na: agent' },
  'ready: for an agent to claim',
);
check(
  'a task that waits says for what',
  { state: pending, board: 'a: needs b\nb' },
  'waiting: waits for b',
);
check('a task that nobody can look at waits', { state: pending }, 'waiting:');
check(
  'a task of an interrupted run can be gone on with',
  { state: pending, runStatus: 'interrupted', board: 'a' },
  'interrupted: interrupted; run it again to go on',
);
check(
  'a task that is left of a run that has ended could never start',
  { state: pending, runStatus: 'finished' },
  'blocked: its run has ended, because it could never start',
);
check(
  'an obstacle in the plan counts once the task is not part of a run',
  { state: stateOf('completed'), runStatus: 'finished', obstacle: 'It has no command.' },
  'blocked: It has no command.',
);
const said = (message: string): TaskState => {
  const state = stateOf('failed');
  if (state.kind !== 'failed') throw new Error('A failed task has failed.');
  return { ...state, failure: { kind: 'exit', code: 7, message } };
};
check(
  'what was said of a failure stands behind it, in one line',
  { state: said('It does not\nhold.') },
  'failed: exit code 7 after 0 ms: It does not hold.',
);
check(
  'of what was said there is as much as people read',
  { state: said(`${'x'.repeat(199)}😀`) },
  `failed: exit code 7 after 0 ms: ${'x'.repeat(199)}…`,
);
check('a first attempt is not numbered', { state: stateOf('running') }, 'running:');
check(
  'further attempts are numbered',
  { state: { kind: 'claimed', tries, term: 2, worker: workerId('runner/local'), claimedAt: AT } },
  'claimed: attempt 2',
);
check(
  'what runs elsewhere says where',
  { state: { kind: 'claimed', tries, term: 2, worker: workerId('runner/build-1'), claimedAt: AT } },
  'claimed: on build-1, attempt 2',
);
check(
  'and whether anybody reaches that, and that it is asked to end',
  {
    state: {
      kind: 'claimed',
      tries: FIRST_TRY,
      term: 2,
      worker: workerId('runner/h1'),
      claimedAt: AT,
      stop: { why: 'cancelled', signal: 'terminate', at: AT },
    },
    board: 'host h1: unreachable\na: on h1',
  },
  'claimed: on h1, which cannot be reached, asked to end',
);
check(
  'a command that took too long is said to have',
  {
    state: {
      kind: 'failed',
      tries,
      startedAt: instant(0),
      finishedAt: instant(5000),
      failure: { kind: 'timeout', limitMs: 4000 },
    },
  },
  'failed: timed out after 5.0 s',
);

const CAUSES = {
  stuck: 'nothing has moved for a while',
  poisoned: 'it was lost three times',
  starved: 'nobody has taken it',
  asked: 'it has a question',
} as const;
for (const why of ['stuck', 'poisoned', 'starved', 'asked'] as const)
  check(
    `a task that needs attention because it is ${why} says so`,
    { state: { kind: 'attention', tries, why, since: AT, holder: undefined } },
    `attention: ${CAUSES[why]}`,
  );
