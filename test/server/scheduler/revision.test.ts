import { expect, test } from 'vitest';
import { decide } from '../../../server/scheduler/decide.ts';
import { boardEventOf } from '../../../server/scheduler/decision.ts';
import { Play } from '../../support/board-play.ts';
import { play } from '../../support/board-script.ts';
import { checkStory as check } from '../../support/board-story.ts';

check(
  'a pending task takes its new definition',
  'a: needs b\nb: running\nc: writes x, running',
  `revise only-run: a: writes x | b | c: writes x
   why a → Waits for c, which writes x too. It goes on when c has ended.
   c completes → claim a`,
);
check('a new task joins', 'a: running', 'revise only-run: a | b | c: needs b → claim b');
check(
  'a task that is gone is gone, and who still needs it can never start',
  'a: needs x\nb: needs a\nx: running',
  `revise only-run: b: needs a | x
   why b → Can never start: it depends on a, which does not exist. Add a to the plan, or take it out of depends_on.
   x completes → finish deadlocked`,
);
check(
  'a task that is gone while somebody holds it goes on as it began',
  'a: writes x, running\nb: running',
  `revise only-run: b | c: writes x
   why c → Waits for a, which writes x too. It goes on when a has ended.
   a completes → claim c`,
);
check(
  'whoever is held goes on as it began, whatever its plan says now',
  'a: writes x, running\nb: writes y, running\nc: writes x, needs b\nd: writes z, needs b',
  `revise only-run: a: writes z | b | c: writes x, needs b | d: writes z, needs b
   b completes → claim d
   a completes → claim c`,
);
check(
  'what has ended stays ended',
  'a: completed\nb: running',
  `revise only-run: a: writes x | b
   b completes → finish completed`,
);
check(
  'a changed task begins anew, with all its attempts',
  'a: retries 2, running\nb: running',
  `a fails
   revise only-run: a: retries 2, writes x | b → claim a
   a fails
   +1s → claim a
   a fails
   b completes → finish failed`,
);
check(
  'an unchanged task goes on with the attempts it has left',
  'a: retries 2, running\nb: running',
  `a fails
   revise only-run: a: retries 2 | b
   +1s → claim a
   a fails
   b completes → finish failed`,
);
check(
  'a task that waits for a person takes its new definition',
  'a: attention\nb: writes x, running',
  `revise only-run: a: writes x | b
   answer a
   b completes → claim a`,
);
check(
  'a paused task stays paused',
  'a: paused\nb: running',
  `revise only-run: a: writes x | b
   resume a → claim a`,
);
check(
  'a stopped run stays stopped',
  'a: running\nb: needs a',
  `stop only-run → cancel b, stop a
   revise only-run: a | b | c → cancel c`,
);
check(
  'a lost attempt keeps its files, and its task from starting',
  'a: writes x, running\nb: running',
  `a is lost
   +1s
   revise only-run: a: writes y | b | c: writes x
   +20s
   leftover a gone → claim a, claim c`,
);
check(
  'what a task wrote without saying so stays its own',
  'a: running\nb: running',
  `undeclared a y
   revise only-run: a | b | c: writes y
   a completes → claim c`,
);
check(
  'what is taken of a limit stays taken',
  'run only-run: limits db:1\na: takes db:1, running\nb: running',
  `revise only-run: a | b | c: takes db:1
   a completes → claim c`,
);
check(
  'a lease still ends when it would have',
  'a: lease 10s',
  `begin → claim a
   +5s
   revise only-run: a: lease 60s
   +5s → expire a`,
);
check(
  'a limit is still kept',
  'a: timeout 5s, running',
  `revise only-run: a
   +5s → stop a`,
);
check(
  'an unchanged task waits for its backoff all the same',
  'a: retries 2, running\nb: running',
  `a fails
   revise only-run: a: retries 2 | b: writes x
   +79ms
   +50ms → claim a`,
);
check(
  'a revision that brings what was missing brings the run back to work',
  'a: needs b\nx: running',
  'revise only-run: a: needs b | b | x → claim b',
);
check(
  'a class that is raised is inherited',
  'run only-run: parallel 1\nbase: priority low\ntop: needs base\nother: priority high\nx: running',
  `revise only-run: base: priority low | top: needs base, priority critical | other: priority high | x
   x completes → claim base`,
);

test('a decision about a task that has changed since is not acted on', () => {
  const on = new Play('a');
  const [claim] = decide(on.board, on.now);
  if (claim === undefined) throw new Error('The task is claimed.');
  play(on, 'revise only-run: a: writes x');
  const minting = { now: on.now, mintTerm: (): number => 1 };
  expect(boardEventOf(claim, on.entry('a').state, minting)).toBeUndefined();
});

test('a revised run keeps its place among the others', () => {
  const on = new Play('run older-run\na: running\nrun newer-run\nb: running');
  play(on, 'revise older-run: a');
  expect([...on.board.runs.keys()]).toStrictEqual(['older-run', 'newer-run']);
});

check(
  'what has failed is retried as the plan says by now',
  'a: failed, writes x\nb: running, writes y',
  `revise only-run: a: writes y | b: writes y
   retry a
   why a → Waits for b, which writes y too. It goes on when b has ended.`,
);
check(
  'what was skipped waits again when it needs nothing that failed any more',
  'a: failed\nb: needs a, skipped\nc: running',
  'revise only-run: a | b | c → revive b, claim b',
);
check(
  'a run in which it is the only one goes on for it',
  'a: failed\nb: needs a, skipped\nc: running',
  `c completes; revise only-run: a | b → revive b, claim b`,
);
test('whoever begins anew by its new definition waits for no backoff', () => {
  const on = new Play('a: retries 2, running\nb: running');
  play(on, 'a fails; revise only-run: a: retries 2, writes x | b');
  expect(on.entry('a').readySince).toBeLessThanOrEqual(on.now);
});

test('a task that leaves the plan and comes back begins a new revision each time', () => {
  const on = new Play('a: needs b\nb: running');
  const revisions = [1, 2, 3].map(() => {
    play(on, 'revise only-run: b; revise only-run: a: needs b | b');
    return on.entry('a').state.tries.revision;
  });
  expect(revisions).toStrictEqual([2, 3, 4]);
});

test('a task that a plan has twice is there once, whoever wrote the ledger', () => {
  const on = new Play('a\nb: needs a');
  const { tasks } = on.entry('a').run.manifest;
  on.apply({ kind: 'runRevised', at: on.now, run: on.run(), tasks: [...tasks, ...tasks] });
  expect(on.entry('a').run.entries.map(({ id }) => id)).toStrictEqual(['a', 'b']);
  expect(play(on, 'rest; runner/local completes a; rest; runner/local completes b; rest')).toBe(
    'finish completed',
  );
});

test('what waits for less since an edit is ready since then', () => {
  const on = new Play('a: needs b\nb: running');
  play(on, '+10s; revise only-run: a | b');
  expect(on.entry('a').readySince).toBe(on.now);
});
