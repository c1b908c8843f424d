import { expect, test } from 'vitest';
import { decide } from '../../../../server/scheduler/decide.ts';
import { Play } from '../../../support/board-play.ts';
import { tell } from '../../../support/board-script.ts';
import { checkStory as check, follow } from '../../../support/board-story.ts';

// What other schedulers got wrong about who comes first, and about what is used up.

// knittingCrab: every look made everybody older, until all were critical.
test('looking often changes no order', () => {
  const text = 'run only-run: parallel 1\na: priority low\nb\nr: running\nc: priority critical';
  const on = new Play(text);
  for (let look = 0; look < 500; look += 1, on.wait(1)) decide(on.board, on.now);
  expect(follow(on, 'r completes')).toBe('claim c');
});
// knittingCrab: the lowest class waited for up to 95 turns.
test('the lowest class waits for at most twenty turns, and not in a block', () => {
  const board = ['critical', 'high', 'normal', 'low'].map(sixtyOf).join('\n');
  const order = tell(board, 'decide').split(', ').slice(0, 60);
  const turns = order.flatMap((text, turn) => (text.includes('low') ? [turn] : []));
  const gaps = turns.map((turn, index) => turn - (turns[index - 1] ?? -1));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(20);
  expect(turns).toHaveLength(3);
});
// knittingCrab: a request for more than there is was accepted and waited in silence.
check(
  'a request for more than there is, is said at once',
  'run only-run: limits db:4\na: takes db:5\nb: running',
  'why a → Can never start: it needs 5 of db, and there are 4. Ask for less, or raise the limit db.',
);
// knittingCrab: smaller tasks overtook a large one for ever. omk: a writer never got its files.
check(
  'a large request is not overtaken for ever by small ones that came later',
  'run older-run: limits db:2\nbig: takes db:2\nrun newer-run: limits db:2\na: takes db:1, running, expects 90s\nb: takes db:1, expects 80s\nc: takes db:1, expects 80s\nd: takes db:1, expects 80s',
  `begin → claim newer-run/b
   work 80s
   b completes → claim newer-run/c
   work 41s
   a completes
   work 39s
   c completes → claim older-run/big`,
);
check(
  'a writer of many files is not overtaken for ever by writers of one',
  'big: writes src/**, priority low\na: writes src/a, running, expects 90s\nb: writes src/b, expects 80s\nc: writes src/c, expects 80s\nd: writes src/d, expects 80s',
  `begin → claim b, claim c, claim d
   work 80s
   b completes
   c completes
   d completes
   a completes → claim big`,
);
// neo: the highest task waited for hours behind a legitimate holder, and nobody said so.
check(
  'who waits behind a lower holder is told so, with its name',
  'a: writes x, priority critical\nb: writes x, running, priority low',
  'why a → Waits for b, which writes x too. It goes on when b has ended. Whoever holds it is of a lower priority.',
);
// knittingCrab only detected an inversion.
check(
  'what a critical task waits for is served as critical',
  'run only-run: parallel 1\nbase: priority low\ntop: needs base, priority critical\na: priority high\nb: priority high\nr: running',
  'r completes → claim base',
);
// batty: the first of the queue had an owner who was shut out, and everybody behind it waited.
check(
  'a task that finds no place holds up nobody behind it',
  'host h1: unreachable\nperson ann: writes x, unsaved\na: on h1, priority critical\nb: writes x, priority critical\nc: takes gpu:1, priority critical\nd: agent, priority critical\ne: priority low',
  'begin → claim e',
);
check(
  'a task that waits for a person holds up nobody behind it',
  'worker bob\na: person, priority critical\nb: attention, priority critical\nc: agent',
  'begin → wake bob for c',
);
// agh: a deep queue was taken for starvation, and healthy work was parked.
check(
  'a task that waits because everybody is at work is not starved',
  'worker ann\na: agent, running, by ann, without lease\nb: agent',
  `begin
   +10m
   +15s
   +15s
   +15s
   +600m`,
);
// agh: one starved task woke everybody, again and again.
check(
  'a starved task leaves workers for the others',
  'worker a1\nworker a2\nworker a3\nworker a4\nworker a5\nworker a6\na: agent\nb: agent, priority low',
  `begin → wake a1 for a, wake a2 for b
   +2m → wake a3 for a, count-starvation a 1, wake a4 for b, count-starvation b 1`,
);
// batty: the same pair again and again, for ten thousand tokens a time.
check(
  'a worker that gave a task back is not woken for it again at once',
  'worker ann\na: agent',
  `begin → wake ann for a
   ann claims a → claim a
   a is released
   +15s
   +15s
   +15s
   +15s → wake ann for a`,
);
// knittingCrab: what was given back leaked its resources.
check(
  'amounts are worked out from who has them, so nothing leaks',
  'run only-run: limits db:1\na: takes db:1, retries 99, priority high\nb: takes db:1, needs c\nc: running',
  `begin → claim a
   a is released → claim a
   a fails
   +1s → claim a
   a is killed
   +1s → claim a
   a asks
   c completes → claim b`,
);
// kube-agents: dispatch without a cap ran a machine out of memory.
check(
  'no run is without a cap',
  'run only-run: parallel 3\na\nb\nc\nd\ne',
  'begin → claim a, claim b, claim c',
);
// knittingCrab: a key that was built by joining texts was the same for different things.
check(
  'tasks that ask for different things do not wait for each other, however alike they look',
  'host h1: can a,b\nhost h2\na: on h1, capable a b\nb: on h1, capable a,b\nc: on h2',
  'begin → claim b on h1, claim c on h2',
);
// omk: a task lost its files when another one of its worker ended.
check(
  'files belong to a task, not to its worker',
  'worker ann\na: agent, writes x, running, by ann\nb: agent, writes y, running, by ann\nc: writes x',
  `b completes
   a completes → claim c`,
);
// omk compared paths letter by letter, and never looked at reads.
check(
  'a folder, a pattern and a file in it are the same files',
  'a: writes src/, running\nb: writes src/api/*.ts\nc: writes src/api/users.ts\nd: writes srcs/x',
  'begin → claim d',
);
check(
  'a plan can protect what its tasks read',
  'run only-run: hazards read-write:wait\na: reads src/**, running\nb: writes src/x',
  `begin
   a completes → claim b`,
);
// omk, kanban-md: nobody looked at what was really written.
check(
  'what a task really writes counts, not only what it said',
  'a: running\nb: writes y, needs c\nc: running',
  `undeclared a y
   c completes
   a completes → claim b`,
);
// knittingCrab stretched the limits of critical tasks only.
check(
  'under load every task has more time',
  'a: timeout 10s, running, priority low, without lease',
  `memory 80 → change-load moderate
   +14999ms
   +1ms → stop a`,
);

function sixtyOf(priority: string): string {
  const names = Array.from({ length: 60 }, (_, n) => `${priority}${n}`);
  return names.map((name) => `${name}: priority ${priority}`).join('\n');
}
