import { checkStory } from '../../support/board-story.ts';

/** Boards of one run with `db` twice. */
function check(name: string, tasks: string, story: string): void {
  checkStory(name, `run only-run: limits db:2\n${tasks}`, story);
}

check('an amount is taken while a task is held', 'a: takes db:2, claimed\nb: takes db:1', 'begin');
check(
  'what is taken in one turn is taken',
  'a: takes db:1\nb: takes db:2\nc: takes db:1',
  'begin → claim a, claim c',
);
check('the whole amount may be taken', 'a: takes db:2', 'begin → claim a');
check(
  'an amount comes back with every end of a task',
  'a: takes db:2, running, retries 2\nb: takes db:2',
  `a fails → claim b
   +1s
   b fails → claim a`,
);
check(
  'an amount comes back when a task is given back',
  'a: takes db:2, running, expects 1ms\nb: takes db:2',
  'a is released → claim b',
);
check(
  'an amount comes back when a task is cancelled',
  'a: takes db:2, running\nb: takes db:2',
  `cancel a
   a fails SIGTERM → claim b`,
);
check(
  'an amount comes back when its holder asks a person',
  'a: takes db:2, running\nb: takes db:2',
  'a asks → claim b',
);
check(
  'an amount stays taken while a person looks at a task that goes on',
  'a: takes db:2, running\nb: takes db:1',
  `a sticks
   a progresses
   a completes → claim b`,
);
check(
  'a lost attempt keeps its amount until it is proved dead',
  'a: takes db:2, running, priority low\nb: takes db:2',
  `a is lost
   +10m
   leftover a gone → claim b`,
);
check(
  'a killed attempt keeps nothing',
  'a: takes db:2, running, priority low\nb: takes db:2',
  'a is killed → claim b',
);
check(
  'an attempt that never started keeps nothing',
  'a: takes db:2, claimed, priority low\nb: takes db:2',
  'a fails unstarted → claim b',
);
check(
  'all amounts are taken together or none is',
  'a: takes db:1 cpu:3\nb: takes db:2\nc: takes db:1',
  'begin → claim a, claim c',
);
check(
  'why names what is asked, what is taken, and by whom',
  'a: takes db:2\nb: takes db:1, running\nc: takes db:1, running',
  'why a → Waits for db: it needs 2, and 2 of 2 are taken, used by b, c. It starts when enough of db is given back.',
);
check(
  'why says when whoever holds it is of a lower class',
  'a: takes db:2, priority high\nb: takes db:1, running',
  'why a → Waits for db: it needs 2, and 1 of 2 are taken, used by b. It starts when enough of db is given back. Whoever holds it is of a lower priority.',
);

check(
  'more than there is can never start, and the others can',
  'a: takes db:3\nb: takes db:2',
  `begin → claim b
   why a → Can never start: it needs 3 of db, and there are 2. Ask for less, or raise the limit db.`,
);
check(
  'what nobody has a limit for can never start',
  'a: takes gpu:1\nb',
  `begin → claim b
   why a → Can never start: it needs gpu, and no limit has that name. Add gpu to the limits of the plan.`,
);
check(
  'a request that can never be met is said while others still run',
  'a: takes db:3, needs b\nb: running',
  'why a → Can never start: it needs 3 of db, and there are 2. Ask for less, or raise the limit db.',
);
check(
  'a request that can never be met keeps no start from anybody',
  'a: takes db:3, priority critical\nb: takes db:1, running\nc: takes db:1, expects 60m',
  'begin → claim c',
);
check(
  'a run ends when what is left can never start',
  'a: takes db:3\nb: needs a\nc: takes db:2',
  `begin → claim c
   c completes → finish deadlocked`,
);

checkStory(
  'an amount of the machine that nobody limits is there without end',
  'a: takes cpu:64\nb: takes memory:999999',
  'begin → claim a, claim b',
);
checkStory(
  'two runs share what they both name',
  'run older-run: limits db:1\na: takes db:1, running\nrun newer-run: limits db:1\nb: takes db:1',
  `begin
   a completes → claim newer-run/b, finish older-run/completed`,
);
checkStory(
  'each run has its own idea of how much there is',
  'run older-run: limits db:1\na: takes db:1, running\nrun newer-run: limits db:2\nb: takes db:1\nc: takes db:1',
  'begin → claim newer-run/b',
);
checkStory(
  'the machine and each host have their own amounts',
  'host build-1: limits cpu:2\nrun only-run: limits cpu:2\na: takes cpu:2, running\nb: takes cpu:2, on build-1\nc: takes cpu:1',
  'begin → claim b on build-1',
);
checkStory(
  'other amounts are of the board, wherever the task runs',
  'host build-1\nrun only-run: limits db:1\na: takes db:1, running\nb: takes db:1, on build-1',
  'begin',
);
checkStory(
  'what an agent took for itself is taken',
  'run only-run: limits db:1\na: agent, takes db:1, running, by ann\nb: takes db:1',
  `begin
   a completes → claim b`,
);
checkStory(
  'an amount of a host that no host has can never be given',
  'host build-1: limits cpu:2\nhost build-2: limits cpu:8\na: takes cpu:16, on build-1 build-2\nb: takes cpu:8, on build-1 build-2',
  `begin → claim b on build-2
   why a → Can never start: it needs 16 of cpu, and there are 8. Ask for less, or raise the limit cpu.`,
);
