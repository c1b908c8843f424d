import { expect, test } from 'vitest';
import { decide } from '../../../../server/scheduler/decide.ts';
import { nextDueAt } from '../../../../server/scheduler/model/next-due.ts';
import { Play } from '../../../support/board-play.ts';
import { play } from '../../../support/board-script.ts';
import { checkStory as check, follow } from '../../../support/board-story.ts';

// What made other schedulers stand still, or never stop, each as a rule of ours.

/** Something happens by itself when it is due, and whoever sleeps knows until when. */
function checkDue(name: string, [board, ...steps]: readonly string[], dueInMs: number): void {
  test(name, () => {
    const on = new Play(board ?? '');
    for (const step of ['begin', ...steps]) follow(on, step);
    const due = nextDueAt(on.board);
    expect(due === undefined ? undefined : due - on.now).toBe(dueInMs);
  });
}

// holon: a deadline passed, and nobody was woken for it.
checkDue('a lease wakes the scheduler', ['a: lease 7s'], 7000);
checkDue('a limit wakes the scheduler', ['a: timeout 7s, running'], 7000);
checkDue('the grace of a stop wakes the scheduler', ['a: running', 'cancel a'], 5000);
checkDue('a backoff wakes the scheduler', ['a: retries 2, running', 'a fails'], 109);
checkDue(
  'a rate limit of an agent wakes the scheduler',
  ['agent claude\na: starts claude', 'a is rate-limited'],
  60_000,
);
const FIVE = ['a', 'b', 'c', 'd', 'e'];
checkDue(
  'a breaker wakes the scheduler',
  [
    ['host h1', ...FIVE.map((id) => `${id}: on h1, running, paused`)].join('\n'),
    ...FIVE.map((id) => `${id} is lost`),
  ],
  60_000,
);
checkDue('a cycle wakes the scheduler where workers are to be woken', ['a: agent', '+15s'], 15_000);
checkDue(
  'under load the first limit that is due wakes the scheduler, in whatever order they began',
  [
    'a: timeout 100s, running, without lease\nb: timeout 2s, without lease, claimed',
    'memory 99',
    '+99s',
    'b starts',
  ],
  10_000,
);

// agh and knittingCrab polled; what became ready waited for the next tick.
check(
  'what becomes ready is claimed in the turn that follows',
  'a: running\nb: needs a',
  'a completes → claim b',
);
check(
  'a worker is woken in the turn in which a task becomes ready for it',
  'worker ann\na: running\nb: agent, needs a',
  'a completes → wake ann for b',
);
// knittingCrab: a breaker that let a call through which never reported refused all others for ever.
check(
  'a breaker lets go of a call that never reports',
  `agent claude\n${'abcdefgh'
    .split('')
    .map(
      (id) =>
        `${id}: starts claude, timeout 10s, without lease${'abcde'.includes(id) ? ', running' : ', needs x'}`,
    )
    .join('\n')}\nx: running`,
  `a fails
   b fails
   c fails
   d fails
   e fails
   x completes
   +60s → claim f, claim g, claim h`,
);
// omk failed everything when no worker was left.
check(
  'a board without workers waits for one, and fails nothing',
  'a: agent',
  `begin
   why a → Waits for an agent; none is connected now. A worker that fits clears this.
   +1s`,
);
// phoenix, batty: work was restarted without bound.
test('no task is tried for ever without a person', () => {
  const on = new Play('a: retries 5, lease 1s');
  for (let round = 0; round < 50; round += 1)
    play(on, 'rest; +1s; rest; leftover a gone; rest; +1m');
  expect(on.entry('a').state).toMatchObject({ kind: 'attention', why: 'poisoned' });
  expect(on.decided.filter(({ kind }) => kind === 'claim')).toHaveLength(3);
});
// holon: a loop that made no progress.
test('when nothing happens, nothing is decided', () => {
  const on = new Play('agent claude\na: starts claude\nb: needs a, person\nc: takes gpu:1');
  on.turns();
  for (let look = 0; look < 100; look += 1) expect(decide(on.board, on.now)).toStrictEqual([]);
});
// Walks that call themselves end at some ten thousand.
test(
  'a chain of a hundred thousand tasks runs, and ends at its failure',
  { timeout: 60_000 },
  () => {
    const on = new Play(chainOf(100_000));
    for (let n = 0; n < 300; n += 1) {
      on.turns();
      expect(on.entry(`t${n}`).state.kind).toBe('claimed');
      play(on, `t${n} completes`);
    }
    play(on, 'rest; t300 fails; rest');
    expect(on.board.runs.size).toBe(0);
  },
);

test(
  'a chain of a hundred thousand tasks comes back when its first is retried',
  { timeout: 60_000 },
  () => {
    const on = new Play(`${chainOf(100_000)}\nx: running`);
    play(on, 'rest; t0 fails; rest');
    expect(on.entry('t99999').state.kind).toBe('skipped');
    play(on, 'retry t0; rest');
    expect(on.entry('t99999').state.kind).toBe('pending');
    play(on, 'cancel t99998; rest');
    expect(on.entry('t99999').state.kind).toBe('skipped');
  },
);

function chainOf(count: number): string {
  const names = Array.from({ length: count }, (_, n) => `t${n}`);
  return names.map((name, n) => (n === 0 ? name : `${name}: needs t${n - 1}`)).join('\n');
}
