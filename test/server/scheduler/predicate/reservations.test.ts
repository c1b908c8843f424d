import { checkStory as check } from '../../../support/board-story.ts';

const DB = 'run only-run: limits db:4\n';

check(
  'a large task is not delayed by a small one behind it',
  `${DB}big: takes db:4, expects 1m\na: takes db:2, running, expects 10s\nb: takes db:2, expects 30s`,
  `begin
   why b → Waits for big, whose start it would delay. It goes on when big has started, in 10 s at the latest.
   a completes → claim big`,
);
check(
  'a small one that ends in time may go first',
  `${DB}big: takes db:4, expects 1m\na: takes db:2, running, expects 30s\nb: takes db:2, expects 30s`,
  'begin → claim b',
);
check(
  'a small one that ends a moment too late may not',
  `${DB}big: takes db:4, expects 1m\na: takes db:2, running, expects 30s\nb: takes db:2, expects 30001ms`,
  'begin',
);
check(
  'what the large one leaves over may be taken for any time',
  `${DB}big: takes db:3, expects 1m\na: takes db:2, running, expects 10s\nb: takes db:1, expects 30s\nc: takes db:1, expects 29s`,
  'begin → claim b',
);
check(
  'whoever needs nothing of it goes first at once',
  `${DB}big: takes db:4, expects 1m\na: takes db:2, running, expects 10s\nb: expects 50s`,
  'begin → claim b',
);
check(
  'what may go first goes on being so while time passes',
  `${DB}big: takes db:4, expects 1m\na: takes db:2, running, expects 30s\nb: takes db:2, expects 20s, needs c\nc: running`,
  `work 11s
   c completes`,
);
check(
  'nobody knows when one ends that takes longer than expected, so no start is kept behind it',
  `${DB}big: takes db:4, expects 1m\na: takes db:2, running, expects 10s\nb: takes db:2, expects 5s, needs c\nc: running`,
  `work 11s
   c completes → claim b`,
);
check(
  'nobody knows when one ends that was never measured, so no start is kept behind it',
  `${DB}big: takes db:4, expects 1m\na: takes db:2, running\nb: takes db:2, expects 5s, priority low`,
  'begin → claim b',
);
check(
  'after two minutes nobody goes before it, though nobody knows when its turn comes',
  `${DB}big: takes db:4, expects 1m\na: takes db:2, running\nb: takes db:2, expects 1ms, needs c, priority critical\nc: running`,
  `work 120s
   c completes
   a completes → claim big`,
);
check(
  'one ahead in the order is no overtaking',
  `${DB}big: takes db:4, expects 1m\na: takes db:2, running, expects 10s\nb: takes db:2, expects 2m`,
  'begin → claim b',
);
check(
  'a higher class goes before the large task of a lower one',
  `${DB}big: takes db:4, priority low\na: takes db:2, running, expects 10s\nb: takes db:2, expects 10m`,
  'begin → claim b',
);
check(
  'a lower class does not go before the large task of a higher one',
  `${DB}big: takes db:4, priority high\na: takes db:2, running, expects 10s\nb: takes db:2, expects 10m`,
  'begin',
);
check(
  'after two minutes not even a higher class goes before it',
  `${DB}big: takes db:4, priority low\na: takes db:2, running, expects 10m\nb: takes db:2, expects 10m, needs c, priority critical\nc: running`,
  `work 119s
   work 1ms
   c completes`,
);
check(
  'before two minutes a higher class does',
  `${DB}big: takes db:4, priority low\na: takes db:2, running, expects 10m\nb: takes db:2, expects 10m, needs c, priority critical\nc: running`,
  `work 119s
   c completes → claim b`,
);
check(
  'a stream of small tasks does not starve a large one that waits longer, of whatever class',
  'run older-run: limits db:4\nbig: takes db:4, priority low\nrun newer-run: limits db:4\na: takes db:2, running, expects 90s\nb: takes db:2, expects 90s\nc: takes db:2, expects 90s\nd: takes db:2, expects 90s\ne: takes db:2, expects 90s',
  `begin → claim newer-run/b
   work 90s
   a completes → claim newer-run/c
   work 45s
   b completes
   work 45s
   c completes → claim older-run/big
   big completes → claim newer-run/d, claim newer-run/e, finish older-run/completed`,
);

check(
  'a writer of a folder is not delayed by writers of files in it',
  'big: writes src/**, expects 1m\na: writes src/a, running, expects 10s\nb: writes src/b, expects 30s\nc: writes docs/c, expects 30s',
  `begin → claim c
   why b → Waits for big, whose start it would delay. It goes on when big has started, in 10 s at the latest.
   a completes → claim big`,
);
check(
  'a writer of a file that ends in time may go first',
  'big: writes src/**, expects 1m\na: writes src/a, running, expects 30s\nb: writes src/b, expects 20s',
  'begin → claim b',
);
check(
  'after two minutes a writer of a higher class still may go first where it ends in time',
  'big: writes src/**, priority low\na: writes src/a, running, expects 10m\nb: writes src/b, expects 6m, needs c, priority critical\nc: running',
  `work 3m
   c completes → claim b`,
);
check(
  'after two minutes no writer of a higher class who would delay it goes before it',
  'big: writes src/**, priority low\na: writes src/a, running, expects 10m\nb: writes src/b, expects 11m, needs c, priority critical\nc: running',
  `work 3m
   c completes`,
);
check(
  'who is overdue is not overtaken by a newer task of a longer path',
  'a: writes src/a, running, expects 10m\nbig: writes src/**\nb: needs c, writes src/b, expects 20m\nc: running',
  `work 3m
   c completes`,
);

check(
  'a run that may run one task at once is not starved by one that may run two',
  'run older-run: parallel 1\nslow\nrun newer-run: parallel 2\na: running\nb: expects 5m\nc: expects 4m\nd: expects 4m',
  `begin → claim newer-run/b
   work 3m
   a completes
   b completes → claim older-run/slow, claim newer-run/c`,
);
check(
  'a large task keeps its start on a host that is not its first',
  'host h1: unreachable\nhost h2: limits cpu:4\nbig: on h1 h2, takes cpu:4, priority high\na: on h2, takes cpu:2, expects 5m, running\nb: on h2, takes cpu:2, expects 20m',
  'begin',
);
check(
  'a task that may run on several hosts avoids the one where it would delay another',
  'host h1: limits cpu:4\nhost h2: limits cpu:4\nbig: on h1, takes cpu:4, priority high\na: on h1, takes cpu:1, expects 5m, running\nx: on h2, running\ny: on h2, running\nb: on h1 h2, takes cpu:2, expects 10m',
  'begin → claim b on h2',
);
check(
  'a large task that an agent takes is not starved by small ones of ours',
  'worker ann\nrun only-run: limits db:2\nbig: agent, takes db:2, priority critical\na: takes db:1, running, expects 10s\nb: takes db:1, expects 60m, needs c\nc: running',
  `work 3m
   c completes
   a completes → wake ann for big`,
);
check(
  'no start is kept for an agent while none is idle',
  'worker ann: busy\nrun only-run: limits db:2\nbig: agent, takes db:2, priority critical\na: takes db:1, running, expects 10s\nb: takes db:1, expects 60m, needs c\nc: running',
  `work 3m
   c completes → claim b`,
);
check(
  'no start is kept for a person, who comes when it suits them',
  'worker ann: person\nrun only-run: limits db:1\nreview: person, takes db:1\na: takes db:1, needs c\nc: running',
  `work 3m → wake ann for review
   c completes → claim a`,
);
check(
  'no start is kept for whoever may take a task that is for anyone',
  'worker ann: person\nrun only-run: limits db:1\nany: anyone, takes db:1\na: takes db:1, needs c\nc: running',
  `work 3m → wake ann for any
   c completes → claim a`,
);
check(
  'nothing is kept for who waits for what a person holds',
  'run only-run: limits db:2\np: person, takes db:1, running, by ann\nbig: takes db:2, priority high\nsmall: takes db:1, expects 5s',
  'begin → claim small',
);
check(
  'nothing is kept for who waits for files that a person has taken with a task',
  'p: person, writes src/a, running, by ann\nbig: writes src/**, priority high\nsmall: writes src/b, expects 5s',
  'begin → claim small',
);
check(
  'nothing is kept for who waits for files that a person is editing',
  'person ann: writes src/a, unsaved\nbig: writes src/**, priority high\nsmall: writes src/b, expects 5s',
  'begin → claim small',
);
check(
  'nothing is kept for who waits for what a lost attempt holds',
  'run only-run: limits db:2\nz: takes db:1, running\nbig: takes db:2, needs c, priority high\nc: running\nsmall: takes db:1, needs c, expects 5s',
  `z is lost
   c completes → claim small`,
);
check(
  'nothing is kept for who waits for a lost attempt of its own',
  'run only-run: limits db:2\na: takes db:1, running, priority high\nb: takes db:2, running, expects 1ms\nsmall: takes db:1, expects 5s, needs c\nc: running',
  `b completes
   a is lost
   +10s
   c completes → claim small`,
);
check(
  'nothing is kept for who can never start',
  `${DB}big: takes db:5, priority critical\na: takes db:2, running, expects 10s\nb: takes db:2, expects 10m`,
  'begin → claim b',
);
