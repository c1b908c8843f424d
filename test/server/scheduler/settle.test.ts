import { expect, test } from 'vitest';
import type { RetryPolicy } from '../../../server/domain/failure/retry.ts';
import { instant } from '../../../server/domain/time.ts';
import { nextDueAt } from '../../../server/scheduler/model/next-due.ts';
import { answerHolder, type Saying } from '../../../server/scheduler/requests/settle.ts';
import { Play } from '../../support/board-play.ts';
import { play } from '../../support/board-script.ts';
import { checkLast as check } from '../../support/board-story.ts';
import { definition, manifest } from '../../support/runs.ts';
import { AT, workerId } from '../../support/snapshots.ts';

const AGENT = 'worker ann\na: agent, lease 10s';
const HELD = 'ann claims a; ann starts a';
const R = 'runner/local';
const RUN = `decide; ${R} starts a`;

check(
  'who completes a task completes it',
  [AGENT, `${HELD}; ann completes a; state a`],
  'completed',
);
check(
  'a claim that is not confirmed may be completed',
  [AGENT, 'ann claims a; ann completes a; state a'],
  'completed',
);
check(
  'what fails without a retry has failed',
  [AGENT, `${HELD}; ann fails a 3; state a`],
  'failed exit 3',
);
check('the first end counts', [AGENT, `${HELD}; ann fails a 3; ann completes a`], 'stale');
check(
  'what is released is pending at once',
  [AGENT, `${HELD}; ann releases a; state a`],
  'pending released',
);
check(
  'what is released keeps its count of attempts',
  [AGENT, `${HELD}; ann releases a; tries a`],
  'revision 1, 1 attempts, 0 failures, 0 losses',
);
check(
  'what is released can be claimed',
  [AGENT, `${HELD}; ann releases a; bob claims a`],
  'claimed a',
);
check(
  'the old holder is stale then',
  [AGENT, `${HELD}; ann releases a; bob claims a; ann completes a`],
  'stale',
);
check(
  'a task that nobody holds is nobody’s to end',
  [AGENT, `${HELD}; ann releases a; ann completes a`],
  'stale',
);

const RETRIED = 'a: retries 3';
check(
  'a failure that may be retried waits',
  [RETRIED, `${RUN}; ${R} fails a; tries a`],
  'revision 1, 1 attempts, 1 failures, 0 losses',
);
const AGAIN = `rest; ${R} starts a; ${R} fails a; +10s`;
check(
  'it is retried as often as it says',
  [RETRIED, `${AGAIN}; ${AGAIN}; rest; state a`],
  `claimed by ${R} until 51000`,
);
check(
  'the last attempt fails for good',
  [RETRIED, `${AGAIN}; ${AGAIN}; ${AGAIN}; state a`],
  'failed exit 1',
);
check(
  'losses use up no attempts of the command',
  [RETRIED, `${AGAIN}; rest; ${R} loses a killed; +10s; ${AGAIN}; rest; state a`],
  `claimed by ${R} until 61000`,
);
check(
  'a failure by a signal is retried too',
  [RETRIED, `${RUN}; ${R} fails a SIGSEGV; +10s; decide`],
  'claim a',
);
check(
  'a command that did not start now is a loss, not a failure',
  [RETRIED, `decide; ${R} loses a not-started; tries a`],
  'revision 1, 1 attempts, 0 failures, 1 losses',
);
check(
  'a command that can never start is a failure, and is not retried',
  [RETRIED, `decide; ${R} fails a unstarted; state a`],
  'failed not-started',
);
check(
  'a start that failed is made good though no retry is allowed',
  ['a', `decide; ${R} loses a not-started; +1s; decide`],
  'claim a',
);

/** Whether `code` of a task with this policy is tried again, and after how long. */
function retryAfter(code: number, policy: Partial<RetryPolicy>, before = 0): number | undefined {
  const on = new Play('worker ann');
  const retry = { attempts: 9, backoffMs: 100, factor: 2, maxMs: 30_000, on: [], ...policy };
  const tasks = [definition('a', { asks: { doer: { kind: 'agent' }, retry } })];
  on.apply({ kind: 'runSubmitted', at: AT, manifest: manifest(1, { tasks }) });
  const fail = { kind: 'failed', failure: { kind: 'exit', code } } as const;
  for (let count = 0; count <= before; count += 1) {
    on.wait(100_000);
    on.claim({ worker: on.worker(workerId('ann')) });
    on.say({ worker: workerId('ann'), task: 'a' }, fail);
  }
  const { state } = on.entry('a');
  return state.kind === 'pending' ? (state.notBefore ?? 0) - on.now : undefined;
}

test('only the exit codes that are listed are retried', () => {
  const policy = { on: [2, 75] };
  expect(retryAfter(1, policy)).toBeUndefined();
  expect(retryAfter(2, policy)).toBeGreaterThan(0);
  expect(retryAfter(75, policy)).toBeGreaterThan(0);
});

const BACKOFFS = [
  [0, 100],
  [1, 200],
  [2, 400],
  [5, 3200],
] as const;
for (const [before, waitMs] of BACKOFFS)
  test(`after ${before + 1} failures the wait is ${waitMs} ms, a fifth more or less`, () => {
    const waited = retryAfter(1, {}, before) ?? 0;
    expect(waited).toBeGreaterThanOrEqual(waitMs * 0.8);
    expect(waited).toBeLessThanOrEqual(waitMs * 1.2);
  });

test('the longest wait is bounded', () => {
  expect(retryAfter(1, { maxMs: 300 }, 7)).toBeLessThanOrEqual(360);
});

test('equal boards wait equally long', () => {
  expect(retryAfter(1, {}, 3)).toBe(retryAfter(1, {}, 3));
});

test('without a wait it is ready at once', () => {
  expect(retryAfter(1, { backoffMs: 0 })).toBe(0);
});

const TIMED = 'a: timeout 3s';
check(
  'a command that was ended for its time has timed out',
  [TIMED, `${RUN}; +3s; decide; ${R} fails a SIGTERM; state a`],
  'failed timeout',
);
check(
  'so has one that then exits by itself',
  [TIMED, `${RUN}; +3s; decide; ${R} fails a 0; state a`],
  'failed timeout',
);
check(
  'a result that it still reaches counts',
  [TIMED, `${RUN}; +3s; decide; ${R} completes a; state a`],
  'completed',
);
check(
  'a timeout is a failure, and retried like one',
  [`${TIMED}, retries 2`, `${RUN}; +3s; decide; ${R} fails a SIGTERM; tries a`],
  'revision 1, 1 attempts, 1 failures, 0 losses',
);

const CANCELLED = `${RUN}; cancel a`;
check(
  'a command that we ended for a cancel is cancelled',
  ['a', `${CANCELLED}; ${R} fails a SIGTERM; state a`],
  'cancelled',
);
check(
  'a command that exits with an error after a cancel is cancelled',
  ['a: retries 3', `${CANCELLED}; ${R} fails a 1; state a`],
  'cancelled',
);
check(
  'a command that completed after a cancel has completed',
  ['a', `${CANCELLED}; ${R} completes a; state a`],
  'completed',
);
check(
  'a command that was killed for a cancel is cancelled',
  ['a', `${CANCELLED}; ${R} loses a killed; state a`],
  'cancelled',
);
check(
  'a command that did not start is cancelled when that was asked',
  ['a', `decide; cancel a; ${R} fails a unstarted; state a`],
  'cancelled',
);
check(
  'a command that is given back after a cancel is cancelled',
  ['a', `${CANCELLED}; ${R} releases a; state a`],
  'cancelled',
);
check(
  'a rate limit after a cancel is a cancel',
  ['agent claude\na: starts claude', `${CANCELLED}; ${R} limits a; state a`],
  'cancelled',
);
check(
  'a lease that ends after a cancel cancels the task',
  ['a: lease 10s', `${CANCELLED}; +10s; decide; state a`],
  'cancelled',
);

check(
  'a rate limit gives the task back',
  ['agent claude\na: starts claude', `${RUN}; ${R} limits a`],
  'taskReleased agentLimited',
);
check(
  'its agent cools down',
  ['agent claude\na: starts claude', `${RUN}; ${R} limits a; +59999ms; decide`],
  '',
);
check(
  'a minute later it is tried again',
  ['agent claude\na: starts claude', `${RUN}; ${R} limits a; +1m; decide`],
  'claim a',
);
check(
  'or when the agent was told to',
  ['agent claude\na: starts claude', `${RUN}; ${R} limits a 5s; +5s; decide`],
  'claim a',
);
check(
  'a rate limit is no failure',
  ['agent claude\na: starts claude', `${RUN}; ${R} limits a; tries a`],
  'revision 1, 1 attempts, 0 failures, 0 losses',
);
check(
  'other agents go on',
  [
    'agent claude\nagent gpt\na: starts claude\nb: needs c, starts gpt\nc',
    `${RUN}; ${R} limits a; ${R} completes c; decide`,
  ],
  'claim b',
);
check(
  'an agent that claimed for itself is only given back',
  [AGENT, `${HELD}; ann limits a`],
  'taskReleased',
);

test('the end of a cool-down is when something is due', () => {
  const on = new Play('agent claude\na: starts claude');
  play(on, `${RUN}; ${R} limits a 5s; rest`);
  expect(nextDueAt(on.board)).toBe(AT + 5000);
});

check(
  'a task that asks waits for an answer',
  [AGENT, `${HELD}; ann asks a; state a`],
  'attention asked',
);
check('nobody holds it meanwhile', [AGENT, `${HELD}; ann asks a; ann renews a`], 'stale');
check(
  'when it is answered it is pending',
  [AGENT, `${HELD}; ann asks a; answer a; state a`],
  'pending',
);
check(
  'an answer begins a new revision',
  [AGENT, `${HELD}; ann asks a; answer a; tries a`],
  'revision 2, 0 attempts, 0 failures, 0 losses',
);
check(
  'an answered task is claimed again',
  [AGENT, `${HELD}; ann asks a; answer a; bob claims`],
  'claimed a',
);
check(
  'an answered task of a runner starts again',
  ['a', `${RUN}; ${R} asks a; answer a; rest`],
  'claim a',
);

check(
  'a task that is stuck keeps its holder',
  [AGENT, `${HELD}; ann sticks a; state a`],
  'attention stuck held',
);
check(
  'it goes on when it moves',
  [AGENT, `${HELD}; ann sticks a; ann progresses a; state a`],
  'running by ann until 11000',
);
check('progress of what is not stuck is nothing', [AGENT, `${HELD}; ann progresses a`], '');
check(
  'whoever is stuck may complete',
  [AGENT, `${HELD}; ann sticks a; ann completes a; state a`],
  'completed',
);
check(
  'whoever is stuck may fail',
  [AGENT, `${HELD}; ann sticks a; ann fails a; state a`],
  'failed exit 1',
);
check('a task gets stuck once', [AGENT, `${HELD}; ann sticks a; ann sticks a`], '');
check('a claim that is not confirmed cannot get stuck', [AGENT, 'ann claims a; ann sticks a'], '');

const ALL: readonly Saying[] = [
  { kind: 'started' },
  { kind: 'renew' },
  { kind: 'completed' },
  { kind: 'failed', failure: { kind: 'exit', code: 1 } },
  { kind: 'lost', cause: 'killed' },
  { kind: 'released', reason: 'shutdown' },
  { kind: 'rate-limited' },
  { kind: 'asked' },
  { kind: 'stuck' },
  { kind: 'progressed' },
];

for (const says of ALL)
  test(`who says ${says.kind} under another term is stale, and hears the current one`, () => {
    const on = new Play(AGENT);
    play(on, HELD);
    const by = { kind: 'worker', worker: workerId('ann') } as const;
    const which = { ...on.about('a'), by, says };
    const current = on.entry('a').claim?.holder.term ?? 0;
    for (const term of [current - 1, current + 1])
      expect(answerHolder(on.board, { ...which, term }, on.now)).toStrictEqual({
        kind: 'stale',
        currentTerm: current,
      });
    const late = instant(AT + 10_000);
    expect(answerHolder(on.board, { ...which, term: current }, late)).toStrictEqual({
      kind: 'stale',
      currentTerm: undefined,
    });
  });

const BY_BOB = { kind: 'worker', worker: workerId('bob') } as const;
const BY_COMMAND = { kind: 'command' } as const;

for (const says of ALL)
  test(`only the holder says ${says.kind}: another worker and a command are refused`, () => {
    const on = new Play(AGENT);
    play(on, HELD);
    const { term = 0 } = on.entry('a').claim?.holder ?? {};
    for (const by of [BY_BOB, BY_COMMAND])
      expect(answerHolder(on.board, { ...on.about('a'), term, by, says }, on.now)).toStrictEqual({
        kind: 'not-holder',
        holder: 'ann',
      });
  });

test('no worker settles what a runner runs, under whatever name', () => {
  const on = new Play('a');
  play(on, RUN);
  const { term = 0 } = on.entry('a').claim?.holder ?? {};
  for (const name of ['bob', R]) {
    const by = { kind: 'worker', worker: workerId(name) } as const;
    const request = { ...on.about('a'), term, by, says: { kind: 'completed' } } as const;
    expect(answerHolder(on.board, request, on.now)).toMatchObject({ kind: 'not-holder' });
  }
});

test('a person says with any of their windows what becomes of their task', () => {
  const on = new Play('a: person');
  const kim = on.worker(workerId('person/kim:window-1'));
  on.claim({ worker: { ...kim, kind: 'person' } });
  const { term = 0 } = on.entry('a').claim?.holder ?? {};
  const by = { kind: 'worker', worker: workerId('person/kim:window-2') } as const;
  const request = { ...on.about('a'), term, by, says: { kind: 'completed' } } as const;
  expect(answerHolder(on.board, request, on.now)).toMatchObject({ kind: 'accepted' });
});

for (const says of ['completes', 'fails', 'releases', 'asks', 'limits'])
  check(
    `a command that ${says} keeps its task until its process has ended`,
    ['a', `${RUN}; command ${says} a; state a`],
    'running by runner/local until 31000',
  );
for (const says of ['starts a', 'loses a killed', 'sticks a', 'progresses a', 'renews a'])
  check(`that a command ${says} changes nothing`, ['a', `${RUN}; command ${says}`], '');

/** What a command says, how its process ends, and what becomes of the task. */
const ANNOUNCED: readonly (readonly [says: string, ends: string, becomes: string])[] = [
  ['completes a', 'completes a', 'completed'],
  ['completes a', 'fails a 2', 'failed exit 2'],
  ['completes a', 'fails a SIGKILL', 'failed signal'],
  ['completes a', 'loses a killed', 'pending lost until 1118'],
  ['fails a 3', 'completes a', 'failed exit 3'],
  ['fails a 3', 'fails a 2', 'failed exit 3'],
  ['fails a 3', 'fails a SIGTERM', 'failed exit 3'],
  ['releases a', 'completes a', 'pending released until 1860'],
  ['releases a', 'fails a 2', 'pending released until 1860'],
  ['asks a', 'completes a', 'attention asked'],
  ['fails a 3; command completes a', 'completes a', 'completed'],
  ['releases a; cancel a', 'fails a SIGTERM', 'cancelled'],
];

for (const [says, ends, becomes] of ANNOUNCED)
  check(
    `a command that ${says.replaceAll(' a', '')}, and then ${ends}: ${becomes}`,
    ['a', `${RUN}; command ${says}; ${R} ${ends}; state a`],
    becomes,
  );

check(
  'a retry goes by the exit code that the command said',
  ['a: retries 3', `${RUN}; command fails a 3; ${R} completes a; tries a`],
  'revision 1, 1 attempts, 1 failures, 0 losses',
);

test('what asks again and again to be tried later waits longer each time, and fails at last', () => {
  const on = new Play('a');
  const begun = on.now;
  let tries = 0;
  while (on.entry('a').isOpen && tries < 100) {
    play(on, `rest; ${R} starts a; command releases a; ${R} completes a`);
    tries += 1;
    const { state } = on.entry('a');
    if (state.kind === 'pending') on.wait((state.notBefore ?? 0) - on.now);
  }
  expect(tries).toBe(10);
  expect(on.entry('a').state).toMatchObject({
    kind: 'failed',
    failure: { kind: 'exit', code: 75, message: 'It asked 10 times to be tried again later.' },
  });
  expect(on.now - begun).toBeGreaterThan(190_000);
});

test('a task is taken from an agent under its very term, and never from a runner', () => {
  const on = new Play('worker ann\na: agent, lease 10s, writes x\nb');
  play(on, `${HELD}; decide`);
  const [a, b] = ['a', 'b'].map((task) => on.entry(task).claim?.holder.term ?? 0);
  const take = (task: string, term = 0): string =>
    on.control({ kind: 'take-task', ...on.about(task), term }).kind;
  expect([take('a', 1), take('b', b)]).toEqual(['refused', 'refused']);
  expect(take('a', a)).toBe('accepted');
  expect(on.entry('a').state.kind).toBe('pending');
  expect(on.board.owners.leftovers.size).toBe(1);
});
