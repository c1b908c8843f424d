import { checkStory as check } from '../../../support/board-story.ts';

/** Two tasks, one of which runs: what the other does under a policy. */
function checkPolicy(name: string, hazards: string, story: string): void {
  const board = `run only-run: hazards ${hazards}\nw: writes x, running\nv: reads x, running\na: writes x\nb: reads x`;
  check(name, board, story);
}

checkPolicy(
  'by default two writers do not meet, and readers do not wait',
  'human:ask',
  'begin → claim b',
);
checkPolicy(
  'writers may be let through with a warning',
  'write-write:warn',
  'begin → claim a, claim b',
);
checkPolicy(
  'writers may be let through in silence',
  'write-write:ignore',
  'begin → claim a, claim b',
);
checkPolicy(
  'readers may be made to wait for writers, and writers for readers',
  'read-write:wait write-write:ignore',
  `begin
   w completes → claim b
   why a → Waits for v; one of them writes x and the other reads it. It goes on when v has ended. Waits for b; one of them writes x and the other reads it. It goes on when b has ended.
   v completes
   b completes → claim a`,
);

check(
  'of two plans the more careful one counts',
  'run older-run: hazards write-write:wait\na: writes x, running\nrun newer-run: hazards write-write:ignore\nb: writes x',
  `begin
   a completes → claim newer-run/b, finish older-run/completed`,
);
check(
  'of two plans the more careful one counts, whichever comes later',
  'run older-run: hazards read-write:ignore\na: reads x, running\nrun newer-run: hazards read-write:wait\nb: writes x',
  'begin',
);
check(
  'folders and files in them are the same files',
  'a: writes src/**, running\nb: writes src/deep/file\nc: writes srcs/file',
  'begin → claim c',
);
check(
  'what is taken out of a set of paths is not written',
  'a: writes src/** !src/legacy/**, running\nb: writes src/legacy/x\nc: writes src/x',
  'begin → claim b',
);
check(
  'a holder keeps its files while a person looks at it',
  'a: writes x, running\nb: writes x',
  `a sticks
   a completes → claim b`,
);
check(
  'a holder that asks a person lets its files go',
  'a: writes x, running\nb: writes x',
  'a asks → claim b',
);
check(
  'one holder that ends frees only its own files',
  'a: writes x, running, by ann\nb: writes y, running, by ann\nc: writes y\nd: writes x',
  `a completes → claim d
   b completes → claim c`,
);
check(
  'two tasks of one worker are two owners of their files',
  'a: agent, writes x y, running, by ann\nb: agent, writes x, running, by ann\nc: writes x',
  `b completes
   a completes → claim c`,
);

check(
  'files that a person has open and not saved are waited for',
  'person ann: writes src/a, unsaved\na: writes src/**',
  `begin
   why a → Waits for ann, who is editing src/a. It goes on when they save and stop, or say so.
   ann frees → claim a`,
);
check(
  'readers do not wait for what a person has open',
  'person ann: writes src/a, unsaved\na: reads src/**',
  'begin → claim a',
);
check(
  'a plan may let its tasks write where a person is editing',
  'person ann: writes x, unsaved\nrun only-run: hazards human:warn\na: writes x',
  'begin → claim a',
);
check(
  'a person who begins to write does not stop what runs, only what comes after',
  'a: writes x, running\nb: writes x',
  `ann owns x unsaved
   a completes
   ann frees → claim b`,
);

check(
  'a working tree of its own meets nobody',
  'a: writes x, isolated, running\nb: writes x\nc: writes x, isolated\nd: writes x, isolated',
  'begin → claim b, claim c, claim d',
);
check(
  'a plan may make trees wait for each other',
  'run only-run: hazards worktrees:wait\na: writes x, isolated, running\nb: writes x',
  `begin
   a completes → claim b`,
);
check(
  'a plan may look away from other trees',
  'run only-run: hazards worktrees:ignore\na: writes x, isolated, running\nb: writes x',
  'begin → claim b',
);

check(
  'a lost attempt keeps its files until it is proved dead',
  'host h1\na: writes x, on h1, running\nb: writes x',
  `a is lost
   why b → Waits until nothing is left of a lost attempt at a on h1. It goes on when that is proved, for which h1 must be reached; if it never comes back, set "gone" of it to true where your hosts are named.
   +60m
   leftover a gone → claim b`,
);
check(
  'a task waits for its own lost attempt, whatever it writes',
  'host h1\na: on h1, running',
  `a is lost
   +1m
   leftover a gone → claim a on h1`,
);
check(
  'a task waits for its own lost attempt where writers do not wait for each other',
  'run only-run: hazards write-write:ignore\na: writes x, running\nb: writes x',
  `a is lost → claim b
   work 1m
   leftover a gone → claim a`,
);
check(
  'a lost attempt that was to be cancelled keeps its files too',
  'a: writes x, running\nb: writes x\nc: running',
  `cancel a
   a is lost
   leftover a gone → claim b`,
);
check(
  'a lost attempt keeps its files beyond the end of its run',
  'run older-run\na: writes x, running\nrun newer-run\nb: writes x',
  `cancel a
   a is lost → finish older-run/cancelled
   why b → Waits until nothing is left of a lost attempt at a. It goes on when that is proved.`,
);
check(
  'an agent that lost its task keeps its files for as long as it may not know',
  'a: agent, writes x, running, by ann, lease 5m\nb: writes x',
  `a is lost
   why b → Waits until nothing is left of a lost attempt at a. ann may still be at work, and nobody can stop it: it goes on by itself, in 1 min 0 s at the latest.
   +59s
   +1s → claim b`,
);
check(
  'an agent that never confirmed its claim leaves nothing behind',
  'a: agent, writes x, claimed, by ann\nb: writes x',
  'a is lost → claim b',
);

check(
  'what a task wrote without saying so is its own from then on',
  'a: writes x, running\nb: writes y, needs c\nc: running',
  `undeclared a y
   c completes
   why b → Waits for a, which writes y too. It goes on when a has ended.
   a completes → claim b`,
);
check(
  'what a lost attempt wrote without saying so stays its own',
  'a: running\nb: writes y, needs c\nc: running',
  `undeclared a y
   a is lost
   c completes
   leftover a gone → claim b`,
);
check(
  'why says when whoever has the files is of a lower class',
  'a: writes x, priority high\nb: writes x, running, priority low',
  'why a → Waits for b, which writes x too. It goes on when b has ended. Whoever holds it is of a lower priority.',
);
check(
  'an order between two tasks is no hazard',
  'a: writes x, running\nb: writes x, needs a',
  'why b → Waits for a. It goes on when that has ended.',
);

check(
  'files of plans in two folders of a repository are the same files',
  'run older-run: folder a\na: writes b/x, running\nrun newer-run: folder a/b\nb: writes x\nc: writes y',
  `begin → claim newer-run/c
   why b → Waits for a, which writes a/b/x too. It goes on when a has ended.
   a completes → claim newer-run/b, finish older-run/completed`,
);
check(
  'what is taken out of a set of paths counts from the folder of its plan',
  'run older-run: folder a\na: writes ** !b/**, running\nrun newer-run: folder a/b\nb: writes x\nrun third-run: folder ab\nc: writes x',
  'begin → claim newer-run/b, claim third-run/c',
);
check(
  'files of two working trees are compared from the tops of both, and only warned of',
  'run older-run: folder a\na: writes b/x, running\nrun newer-run: folder a/b, tree /other\nb: writes x',
  'begin → claim newer-run/b',
);
check(
  'a plan may wait for those of other working trees, wherever in them they lie',
  'run older-run: folder a\na: writes b/x, running\nrun newer-run: folder a/b, tree /other, hazards worktrees:wait\nb: writes x\nc: writes b/x',
  'begin → claim newer-run/c',
);
check(
  'files of a lost attempt stay those of its folder',
  'run older-run: folder a\na: agent, writes b/x, running, by ann\nrun newer-run: folder a/b\nb: writes x',
  `older-run/a is lost
   +59s; decide
   +1s; decide → claim newer-run/b`,
);
