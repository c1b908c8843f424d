import { expect, test } from 'vitest';
import { decide } from '../../../../server/scheduler/decide.ts';
import { nextDueAt } from '../../../../server/scheduler/model/next-due.ts';
import { checkStory as check, Story } from '../../../support/board-story.ts';

// What made other schedulers stand still, or never stop, each as a rule of ours.

/** Something happens by itself when it is due, and whoever sleeps knows until when. */
function checkDue(name: string, [board, ...steps]: readonly string[], dueInMs: number): void {
  test(name, () => {
    const story = new Story(board ?? '');
    story.settle();
    for (const step of steps) story.play(step);
    const due = nextDueAt(story.board);
    expect(due === undefined ? undefined : due - story.now).toBe(dueInMs);
  });
}

// holon: a deadline passed, and nobody was woken for it.
checkDue('a lease wakes the scheduler', ['a: lease 7s'], 7000);
checkDue('a limit wakes the scheduler', ['a: timeout 7s, running'], 7000);
checkDue('the grace of a stop wakes the scheduler', ['a: running', 'cancel a'], 5000);
checkDue('a backoff wakes the scheduler', ['a: retries 2, running', 'a fails 1'], 109);
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
checkDue(
  'a cycle wakes the scheduler where workers are to be woken',
  ['a: agent', 'wait 15s'],
  15_000,
);
checkDue(
  'under load the first limit that is due wakes the scheduler, in whatever order they began',
  [
    'a: timeout 100s, running, without lease\nb: timeout 2s, without lease, claimed',
    'load memory 0.99',
    'wait 99s',
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
  `a fails 1
   b fails 1
   c fails 1
   d fails 1
   e fails 1
   x completes
   wait 60s → claim f, claim g, claim h`,
);
// omk failed everything when no worker was left.
check(
  'a board without workers waits for one, and fails nothing',
  'a: agent',
  `begin
   why a → Waits for an agent; none is here. A worker that fits clears this.
   wait 1s`,
);
// phoenix, batty: work was restarted without bound.
test('no task is tried for ever without a person', () => {
  const story = new Story('a: retries 5, lease 1s');
  story.settle();
  for (let round = 0; round < 50; round += 1) {
    story.play('wait 1s');
    story.play('nothing is left of a');
    story.play('wait 1m');
  }
  expect(story.task('a').state).toMatchObject({ kind: 'attention', why: 'poisoned' });
  expect(story.decided.filter(({ kind }) => kind === 'claim')).toHaveLength(3);
});
// holon: a loop that made no progress.
test('when nothing happens, nothing is decided', () => {
  const story = new Story('agent claude\na: starts claude\nb: needs a, person\nc: takes gpu:1');
  story.settle();
  for (let look = 0; look < 100; look += 1)
    expect(decide(story.board, story.now)).toStrictEqual([]);
});
// Walks that call themselves end at some ten thousand.
test(
  'a chain of a hundred thousand tasks runs, and ends at its failure',
  { timeout: 60_000 },
  () => {
    const story = new Story(chainOf(100_000));
    for (let n = 0; n < 300; n += 1) {
      story.settle();
      expect(story.task(`t${n}`).state.kind).toBe('claimed');
      story.play(`t${n} completes`);
    }
    story.play('t300 fails 1');
    expect(story.board.runs.size).toBe(0);
  },
);

test(
  'a chain of a hundred thousand tasks comes back when its first is retried',
  { timeout: 60_000 },
  () => {
    const story = new Story(`${chainOf(100_000)}\nx: running`);
    story.settle();
    story.play('t0 fails 1');
    expect(story.task('t99999').state.kind).toBe('skipped');
    story.play('retry t0');
    expect(story.task('t99999').state.kind).toBe('pending');
    story.play('cancel t99998');
    expect(story.task('t99999').state.kind).toBe('skipped');
  },
);

function chainOf(count: number): string {
  const names = Array.from({ length: count }, (_, n) => `t${n}`);
  return names.map((name, n) => (n === 0 ? name : `${name}: needs t${n - 1}`)).join('\n');
}
