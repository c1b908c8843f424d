import { checkLast, checkStory as check } from '../../support/board-story.ts';

const CLASSES = 'c: priority critical\nh: priority high\nn\nl: priority low';
/** Nothing starts before the load is known, and one task is at work. */
const WAITING = CLASSES.split('\n')
  .map((line) => `${line}${line.includes(':') ? ',' : ':'} needs go`)
  .join('\n');

check(
  'a moderate load serves every class',
  `${WAITING}\ngo: running`,
  `memory 80 → change-load moderate
   go completes → claim c, claim h, claim n, claim l`,
);
check(
  'a high load leaves low tasks until it passes',
  `${WAITING}\ngo: running`,
  `memory 90 → change-load high
   go completes → claim c, claim h, claim n
   why l → Waits while the load is high. It goes on when less is waiting, or give it a higher priority.
   memory 50 → change-load normal, claim l`,
);
check(
  'a critical load serves critical tasks only',
  `${WAITING}\ngo: running`,
  `memory 97 → change-load critical
   go completes → claim c
   memory 50 → change-load normal, claim h, claim n, claim l`,
);
check(
  'the processor counts as the memory does',
  'a: running',
  `cpu 97 → change-load high
   cpu 50 → change-load normal`,
);
check(
  'a mode is held until the reading has gone down a good deal',
  'a: running',
  `memory 91 → change-load high
   memory 86
   memory 84 → change-load moderate`,
);
check(
  'the depth of the queue counts: 50, 80 and 95 in 100',
  ['run only-run: parallel 1', 'r: running', ...[1, 2, 3, 4, 5, 6, 7, 8].map((n) => `t${n}`)].join(
    '\n',
  ),
  `queue 17
   queue 16 → change-load moderate
   queue 10 → change-load high
   queue 8 → change-load critical`,
);
check(
  'what a high load leaves waiting does not stop everything when nothing else is left',
  'go: running\na: needs go, priority low\nb: needs go, priority low',
  `memory 99 → change-load critical
   go completes → claim a
   a completes → claim b`,
);
check(
  'under a critical load the highest class that waits goes on when nothing else is at work',
  `${WAITING.split('\n').slice(1).join('\n')}\ngo: running`,
  `memory 99 → change-load critical
   go completes → claim h`,
);
check(
  'while a critical task is at work the others wait',
  'c: priority critical, running\ngo: running\nh: priority high, needs go',
  `memory 99 → change-load critical
   go completes
   c completes → claim h`,
);
check(
  'load does not stop everything when what it serves can never start',
  'run only-run: limits db:1\nx: takes db:9\ngo: running\nlow: priority low, needs go',
  `memory 91 → change-load high
   go completes → claim low`,
);
check(
  'load does not stop everything when what it serves waits for a person',
  'review: person, priority critical\ngo: running\na: needs go',
  `memory 99 → change-load critical
   go completes → claim a`,
);
check(
  'load does not stop everything when what it serves waits for files a person has open',
  'person ann: writes x, unsaved\nx: writes x, priority critical\ngo: running\na: needs go',
  `memory 99 → change-load critical
   go completes → claim a`,
);
check(
  'load does not stop everything when what it serves is of a run that nobody carries on',
  'run older-run: interrupted\nc: priority critical\nrun newer-run\ngo: running\na: needs go',
  `memory 99 → change-load critical
   go completes → claim newer-run/a`,
);
check(
  'load does not stop everything when what it serves waits for a host that is away',
  'host h1: unreachable\nx: on h1, priority critical\ngo: running\na: needs go',
  `memory 99 → change-load critical
   go completes → claim a`,
);
check(
  'what is inherited counts: a low task that a critical one waits for is served',
  'go: running\nlow: needs go, priority low\ntop: needs low, priority critical\nh: needs go, priority high',
  `memory 99 → change-load critical
   go completes → claim low
   low completes → claim top
   top completes → claim h`,
);
check(
  'under load a task has more time',
  'a: timeout 10s, running, without lease\nb: timeout 100s, running, without lease',
  `memory 80 → change-load moderate
   +14999ms
   +1ms → stop a
   memory 99 → change-load critical
   +5s → kill a
   +470s
   +10s → stop b`,
);
check(
  'when the load passes, what is over time then is asked to end',
  'a: timeout 10s, running, without lease',
  `memory 99 → change-load critical
   +40s
   memory 10 → change-load normal, stop a`,
);
check(
  'the grace of a stop is not stretched',
  'a: running, without lease',
  `memory 99 → change-load critical
   cancel a
   +5s → kill a`,
);
check(
  'a load keeps nobody from a task when it is all there is',
  'worker ann: person\na: person',
  `begin → wake ann for a
   memory 99 → change-load critical
   ann claims a → claim a`,
);

check(
  'under a critical load agents get critical tasks only, and one at a time of the others',
  `worker ann
worker ben
worker cem
c: agent, priority critical
h: agent, priority high
n: agent`,
  `memory 99 → change-load critical, wake ann for c
   ann claims → claim c
   ben claims → nothing-to-claim
   ben claims h → blocked: waits while the load is critical
   +1s
   c completes → wake ben for h
   ben claims → claim h
   cem claims → nothing-to-claim
   h completes → wake cem for n
   cem claims → claim n`,
);
check(
  'what an agent or a person holds counts for runners too',
  'worker ann\nworker kim: person\nc: agent, priority critical\np: person, priority critical\ngo: running\nn: needs go',
  `memory 99 → change-load critical, wake ann for c, wake kim for p
   ann claims c → claim c
   kim claims p → claim p
   go completes
   c completes
   p completes → claim n`,
);

checkLast(
  'what a load forbids does not start in the very turn that notices it',
  ['h: priority high\na: priority low', 'memory 91; rest'],
  'change-load high, claim h',
);
