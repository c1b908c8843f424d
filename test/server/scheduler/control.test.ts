import { expect, test } from 'vitest';
import type { RunManifest } from '../../../server/domain/run.ts';
import { answerControl } from '../../../server/scheduler/requests/control.ts';
import { Play } from '../../support/board-play.ts';
import { controlText } from '../../support/answer-text.ts';
import { play } from '../../support/board-script.ts';
import { checkLast as check } from '../../support/board-story.ts';
import { definition, manifest, runId } from '../../support/runs.ts';
import { taskId } from '../../support/snapshots.ts';

const R = 'runner/local';
const RUN = `decide; ${R} starts a`;
const AGENT = 'worker ann\na: agent, lease 10s, writes x';
const HELD = 'ann claims a; ann starts a';

check('a pending task is cancelled at once', ['a', 'cancel a'], 'taskCancelled a');
check(
  'a task in backoff is cancelled at once',
  ['a: retries 2', `${RUN}; ${R} fails a; cancel a; state a`],
  'cancelled',
);
check(
  'a task that waits for a person is cancelled at once',
  ['a: attention', 'cancel a; state a'],
  'cancelled',
);
check('a command is asked to end', ['a', `${RUN}; cancel a`], 'stopAsked a terminate');
check(
  'a command that has not started is asked to end too',
  ['a', 'decide; cancel a'],
  'stopAsked a terminate',
);
check(
  'a command that is asked to end is killed after its grace',
  ['a', `${RUN}; cancel a; +5s; decide`],
  'kill a',
);
check('not before', ['a', `${RUN}; cancel a; +4999ms; decide`], '');
check('it is killed once', ['a', `${RUN}; cancel a; +5s; decide; +5s; decide`], '');
check(
  'a stuck command is asked to end',
  ['a', `${RUN}; ${R} sticks a; cancel a`],
  'stopAsked a terminate',
);
check(
  'whoever claimed for itself loses the task at once',
  [AGENT, `${HELD}; cancel a`],
  'taskCancelled a',
);
check('and is stale from then on', [AGENT, `${HELD}; cancel a; ann completes a`], 'stale');
check('a task that is asked to end is not asked again', ['a', `${RUN}; cancel a; cancel a`], '');
check('a cancelled task has ended', ['a', 'cancel a; cancel a'], 'refused: ended');
check('a completed task has ended', ['a', `${RUN}; ${R} completes a; cancel a`], 'refused: ended');
check(
  'what waits for a cancelled task is skipped',
  ['a\nb: needs a', 'cancel a; decide'],
  'skip b because a',
);
check(
  'a cancel of what is being ended for its time does not give it its grace again',
  ['a: timeout 3s', `${RUN}; +3s; decide; +4s; cancel a; +1s; decide`],
  'kill a',
);
check(
  'a cancel does not take a command beyond its hard limit',
  ['a: soft timeout 3s, timeout 5s', `${RUN}; +3s; decide; +1s; cancel a; +1s; decide`],
  'kill a',
);
check(
  'what is being killed is not asked gently',
  ['a: timeout 3s', `${RUN}; +3s; decide; +5s; decide; cancel a`],
  'stopAsked a kill',
);

check('a failed task is retried', ['a: failed', 'retry a'], 'taskRetried a');
check('a cancelled task is retried', ['a: cancelled', 'retry a'], 'taskRetried a');
check('a completed task is retried', ['a: completed', 'retry a'], 'taskRetried a');
check('a task that waits for a person is retried', ['a: attention', 'retry a'], 'taskRetried a');
check(
  'a retried task begins a new revision',
  ['a: failed', 'retry a; tries a'],
  'revision 2, 0 attempts, 0 failures, 0 losses',
);
check('a retried task is claimed', ['a: failed', 'retry a; decide'], 'claim a');
check(
  'a task in backoff is retried at once',
  ['a: retries 2', `${RUN}; ${R} fails a; retry a; decide`],
  'claim a',
);
check('a pending task need not be retried', ['a', 'retry a'], 'refused: nothing-to-do');
check(
  'a task that was given back need not be retried',
  [AGENT, `${HELD}; ann releases a; retry a`],
  'refused: nothing-to-do',
);
check('a held task is not retried', ['a', `${RUN}; retry a`], 'refused: held');
check('a claimed task is not retried', [AGENT, 'ann claims a; retry a'], 'refused: held');
check(
  'a stuck command is ended and runs again',
  ['a', `${RUN}; ${R} sticks a; retry a`],
  'stopAsked a terminate',
);
check('asked twice it is ended once', ['a', `${RUN}; ${R} sticks a; retry a; retry a`], '');
check(
  'what is ended for a retry runs again',
  ['a', `${RUN}; ${R} sticks a; retry a; ${R} fails a SIGTERM; rest`],
  'claim a',
);
check(
  'what is ended for a retry has not failed, and begins anew',
  ['a', `${RUN}; ${R} sticks a; retry a; ${R} fails a SIGTERM; tries a`],
  'revision 2, 0 attempts, 0 failures, 0 losses',
);
check(
  'so does what is lost on the way to a retry',
  ['a', `${RUN}; ${R} sticks a; retry a; ${R} loses a killed; tries a`],
  'revision 2, 0 attempts, 0 failures, 0 losses',
);
check(
  'what is ended for a retry, and is stuck in the hands of another, is held',
  [AGENT, `${HELD}; ann sticks a; retry a`],
  'refused: held',
);
check(
  'what is being cancelled is not retried',
  ['a', `${RUN}; ${R} sticks a; cancel a; retry a`],
  'refused: held',
);
check(
  'what is ended for a retry can be cancelled',
  ['a', `${RUN}; ${R} sticks a; retry a; cancel a; ${R} fails a SIGTERM; state a`],
  'cancelled',
);

const SKIPPED = 'a: failed\nb: needs a, skipped\nc: needs b, skipped';
check(
  'of a skipped task what it was skipped for is retried',
  [SKIPPED, 'retry c'],
  'taskRetried a',
);
check('it follows by itself', [SKIPPED, 'retry c; decide; state c'], 'pending');
check(
  'every root that failed is retried',
  ['a: failed\nb: cancelled\nc: needs a b, skipped', 'retry c'],
  'taskRetried a, taskRetried b',
);
check(
  'what completed is left alone',
  ['a: failed\nb: completed\nc: needs a b, skipped', 'retry c'],
  'taskRetried a',
);
check(
  'what it merely comes after is left alone',
  ['a: failed\nb: failed\nc: needs a, after b, skipped', 'retry c'],
  'taskRetried a',
);
check(
  'roots are found through others that were skipped',
  ['a: failed\nb: needs a, skipped\nx: cancelled\nc: needs b x, skipped', 'retry c'],
  'taskRetried x, taskRetried a',
);

check('a question is answered', ['a: attention', 'answer a'], 'taskRetried a');
check('what asks nothing is not answered', ['a', 'answer a'], 'refused: nothing-to-do');
check('what failed is not answered', ['a: failed', 'answer a'], 'refused: nothing-to-do');

check('a task is paused', ['a', 'pause a'], 'taskPaused');
check('a paused task is paused already', ['a: paused', 'pause a'], '');
check('a task that is not paused is not resumed', ['a', 'resume a'], '');
check('a paused task does not start', ['a', 'pause a; decide'], '');
check('a resumed task starts', ['a', 'pause a; resume a; decide'], 'claim a');
check(
  'a held task that is paused goes on',
  ['a', `${RUN}; pause a; ${R} completes a; state a`],
  'completed',
);
check(
  'a task that was paused while held does not start again',
  ['a: retries 2', `${RUN}; pause a; ${R} fails a; +10s; decide`],
  '',
);
check(
  'a paused task in backoff does not start',
  ['a: retries 2', `${RUN}; ${R} fails a; pause a; +10s; decide`],
  '',
);
check(
  'resumed after its backoff it starts',
  ['a: retries 2', `${RUN}; ${R} fails a; pause a; +10s; resume a; decide`],
  'claim a',
);
check(
  'resumed in its backoff it does not',
  ['a: retries 2', `${RUN}; ${R} fails a; pause a; resume a; decide`],
  '',
);
check('a task that has ended is not paused', ['a: failed', 'pause a'], 'refused: ended');
check(
  'a task that has ended is not resumed',
  ['a: paused', 'cancel a; resume a'],
  'refused: ended',
);
check('a paused task that is all that is left is no deadlock', ['a: paused', 'decide'], '');
check(
  'a task that ended while paused hides no deadlock',
  ['a: paused\nb: takes gpu:1', 'cancel a; decide'],
  'finish deadlocked',
);

check('a board is paused', ['a', 'pause'], 'boardPaused');
check('a paused board is paused already', ['board paused\na', 'pause'], '');
check('a board is resumed', ['board paused\na', 'resume; decide'], 'claim a');
check('a board that is not paused is not resumed', ['a', 'resume'], '');
check('a paused board starts nothing', ['a', 'pause; decide'], '');
check(
  'limits are enforced on a paused board',
  ['a: timeout 3s', `${RUN}; pause; +3s; decide`],
  'stop a',
);

check('a run is stopped', ['a', 'stop'], 'runStopAsked');
check('a run is stopped once', ['a', 'stop; stop'], '');
check(
  'a stopped run takes its tasks back from whoever claimed them',
  [AGENT, `${HELD}; stop; decide`],
  'cancel a',
);
check(
  'a stopped run cancels what waits for a person',
  ['a: attention', 'stop; decide'],
  'cancel a',
);
check('a stopped run ends', [AGENT, `${HELD}; stop; rest`], 'cancel a, finish cancelled');

test('a task that is retried in its backoff is ready from then on', () => {
  const on = new Play('a: retries 2');
  play(on, `${RUN}; ${R} fails a; +10ms; retry a`);
  expect(on.entry('a').readySince).toBe(on.now);
});

test('nobody asks anything of what does not exist', () => {
  const { board, now } = new Play('a');
  const kinds = ['cancel-task', 'retry-task', 'answer-task', 'pause-task', 'resume-task'] as const;
  const [run] = board.runs.keys();
  for (const kind of kinds)
    for (const which of [
      { run: run ?? runId(1), task: taskId('b') },
      { run: runId(9), task: taskId('a') },
    ])
      expect(controlText(answerControl(board, { kind, ...which }, now))).toBe('refused: unknown');
  expect(controlText(answerControl(board, { kind: 'stop-run', run: runId(9) }, now))).toBe(
    'refused: unknown',
  );
});

function submit(on: Play, asked: RunManifest): string {
  return controlText(on.control({ kind: 'submit-run', manifest: asked }));
}

test('a run is submitted once', () => {
  const on = new Play('worker ann');
  expect(submit(on, manifest(1))).toBe('runSubmitted');
  expect(submit(on, manifest(1))).toBe('');
  expect(on.board.runs.size).toBe(1);
});

/** A board whose queue is so full. */
function boardWithQueue(queued: number, queueLimit: number): Play {
  const on = new Play('worker ann');
  on.board.load = { queueLimit, memory: 0, cpu: 0 };
  const tasks = Array.from({ length: queued }, (_, index) => definition(`t${index}`));
  submit(on, manifest(1, { tasks }));
  return on;
}

test('a full queue takes no run', () => {
  const answer = boardWithQueue(3, 3).control({ kind: 'submit-run', manifest: manifest(2) });
  expect(answer).toStrictEqual({
    kind: 'refused',
    why: { kind: 'queue-full', queued: 3, limit: 3 },
  });
});

test('a queue with one free place takes a run', () => {
  expect(submit(boardWithQueue(2, 3), manifest(2))).toBe('runSubmitted');
});

test('what is submitted already is not refused by a full queue', () => {
  expect(submit(boardWithQueue(3, 3), manifest(1))).toBe('');
});

test('a run in which an id stands twice is refused, whatever its case', () => {
  const on = new Play('a');
  const asked = (ids: readonly string[]): string => {
    const tasks = ids.map((id) => definition(id));
    const request = { kind: 'submit-run', manifest: manifest(1, { tasks }) } as const;
    return controlText(answerControl(on.board, request, on.now));
  };
  expect(asked(['b', 'c', 'b'])).toBe('refused: duplicate-task');
  expect(asked(['b', 'c', 'B'])).toBe('refused: duplicate-task');
  expect(asked(['b', 'c'])).toBe('runSubmitted');
});

test('a board has a limit of tasks', () => {
  const on = new Play('a: failed\nb\nc: running');
  const asked = (count: number): string => {
    const tasks = Array.from({ length: count }, (_, number) => definition(`t${number}`));
    const request = { kind: 'submit-run', manifest: manifest(1, { tasks }) } as const;
    return controlText(answerControl(on.board, request, on.now));
  };
  expect(asked(99_998)).toBe('runSubmitted');
  expect(asked(99_999)).toBe('refused: too-many-tasks');
});

test('a rebuild forgets whom it woke, and nothing else', () => {
  const on = new Play('worker ann\na: agent');
  play(on, 'rest; +100s; rest; +30s; rest');
  const entry = on.entry('a');
  const { starvation, readySince, state } = entry;
  expect(entry.wokenAt?.size).toBe(1);
  expect(starvation?.cycles).toBe(1);
  play(on, 'rebuild');
  expect(entry.wokenAt).toBeUndefined();
  expect([entry.starvation, entry.readySince, entry.state]).toStrictEqual([
    starvation,
    readySince,
    state,
  ]);
});

test('a task is ready since it was resumed', () => {
  const on = new Play('board paused\na');
  play(on, 'pause a; +10s; resume a');
  expect(on.entry('a').readySince).toBe(on.now);
});
