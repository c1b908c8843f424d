import { expect, test } from 'vitest';
import { Play } from '../../../support/board-play.ts';
import { play } from '../../../support/board-script.ts';
import { checkStory as check } from '../../../support/board-story.ts';

// What other schedulers got wrong about who waits for whom, each as a rule of ours.

// omk: any final state of a dependency let its dependents run.
check(
  'a dependency that failed never satisfies who waits for it',
  'a: needs b\nb: running\nc: running',
  'b fails → skip a because b',
);
check(
  'a dependency that was cancelled never satisfies who waits for it',
  'a: needs b\nb: running\nc: running',
  `cancel b
   b fails SIGTERM → skip a because b`,
);
check(
  'a dependency that was skipped never satisfies who waits for it',
  'a: needs b\nb: needs c\nc: running\nd: running',
  'c fails → skip b because c, skip a because b',
);
// omk, kanban-md, knittingCrab: a dependency that is missing counted as satisfied.
check(
  'a dependency that does not exist is never satisfied, and is named',
  'a: needs nobody\nb: running',
  'why a → Can never start: it depends on nobody, which does not exist. Add nobody to the plan, or take it out of depends_on.',
);
// omk looped for ever on a cycle; knittingCrab waited in silence.
check(
  'a cycle ends its run with the cycle named, instead of looping',
  'a: needs b\nb: needs a',
  'begin → finish deadlocked',
);
// batty: one bad task stopped the whole board.
check(
  'a mistake in one task stops that task and what needs it, nothing else',
  'a: needs nobody\nb: needs a\nc: needs c\nd\ne: needs d',
  `begin → claim d
   d completes → claim e`,
);
// knittingCrab: a dependency that had completed before was counted and never let go.
check(
  'a dependency that has completed already is not waited for',
  'a: needs b\nb: completed',
  'begin → claim a',
);
check(
  'a dependency that had failed already is seen at once',
  'a: needs b\nb: failed\nc: running',
  'begin → skip a because b',
);
// knittingCrab: counted twice, let go of once.
check(
  'an id twice in depends_on counts once',
  'a: needs b b, after b b\nb: running',
  'b completes → claim a',
);
check(
  'an id twice that does not exist is missing once, and is still missing',
  'a: needs nobody nobody\nb: running',
  'why a → Can never start: it depends on nobody, which does not exist. Add nobody to the plan, or take it out of depends_on.',
);
// knittingCrab: only pending successors were marked, so some waited for ever behind a failure.
check(
  'a failure reaches everybody behind it, however they wait',
  'a: running\nb: needs a, paused\nc: needs b\nd: retries 2, needs a x\nx: running',
  'a fails → skip b because a, skip d because a, skip c because b',
);
// batty wrote each overlap into the plan as a dependency, and once closed a cycle with it.
check(
  'files that overlap make nobody wait in the plan, only while somebody has them',
  'a: writes x, needs b\nb: writes x, after c\nc: writes x',
  `begin → claim c
   c completes → claim b
   b completes → claim a
   a completes → finish completed`,
);
test('a wait for files leaves the definitions as they were', () => {
  const on = new Play('a: writes x, running\nb: writes x');
  const { manifest } = on.entry('b').run;
  const before = structuredClone(manifest);
  play(on, 'rest; why b');
  expect(on.entry('b').run.manifest).toStrictEqual(before);
  expect(on.entry('b').definition.dependsOn).toStrictEqual([]);
});
// batty: a task in review, with all agents idle, was reported as a deadlock.
check(
  'work that waits for a person is no deadlock, however idle everybody else is',
  'worker ann\na: completed\nreview: person, needs a\nb: needs review',
  `begin
   +600m`,
);
// batty: what was ready by one rule was not picked by another, and nothing moved.
check(
  'whatever is said to be ready is claimed',
  'a\nb: needs a\nc: priority low, after a',
  `begin → claim a
   a completes → claim b, claim c`,
);
// batty: a status that said "in progress" outlived its worker, so the task was never ready again.
check(
  'a task whose worker has crashed is pending again, and starts again',
  'a: running',
  `a is killed
   why a → Waits before attempt 2. It is tried again by itself; retry it to try at once, in 118 ms at the latest.
   +1s → claim a`,
);
// batty: a rescue erased the reason why somebody had held the task back.
check(
  'a task that somebody paused stays paused when its attempt is lost',
  'a: running',
  `pause a
   a is killed
   +1m
   why a → Waits: it is paused. Resume it to go on.`,
);
// holon: the view blamed an unrelated item.
check(
  'why names only what keeps this task',
  'a: needs c\nb: attention\nc: running\nd: takes gpu:1\ne: writes x, running',
  'why a → Waits for c. It goes on when that has ended.',
);
// kanban-md: finished items of a class counted against its limit for ever.
check(
  'what has ended counts against no limit',
  'run only-run: parallel 1, limits db:1\na: takes db:1, completed\nb: takes db:1, failed\nc: takes db:1',
  'begin → claim c',
);
// holon: a result for an item that had ended was applied once more.
check(
  'a result for a task that has ended changes nothing',
  'a: running\nb: needs a',
  `a completes → claim b
   a fails → stale
   a is lost → stale`,
);
// omk: whoever was refused some paths kept the others it had asked for.
check(
  'a task that waits for one file has none of the others',
  'a: writes x y\nb: writes x, running\nc: writes y, priority low, expects 1ms',
  `begin → claim c
   b completes
   c completes → claim a`,
);
