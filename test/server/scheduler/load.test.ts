import { expect, test } from 'vitest';
import { checkStory as check, Story } from '../../support/board-story.ts';

const CLASSES = 'c: priority critical\nh: priority high\nn\nl: priority low';
/** Nothing starts before the load is known, and one task is at work. */
const WAITING = CLASSES.split('\n')
  .map((line) => `${line}${line.includes(':') ? ',' : ':'} needs go`)
  .join('\n');

check(
  'a moderate load serves every class',
  `${WAITING}\ngo: running`,
  `load memory 0.8 → change-load moderate
   go completes → claim c, claim h, claim n, claim l`,
);
check(
  'a high load leaves low tasks until it passes',
  `${WAITING}\ngo: running`,
  `load memory 0.9 → change-load high
   go completes → claim c, claim h, claim n
   why l → Waits while the load is high. It goes on when less is waiting, or give it a higher priority.
   load memory 0.5 → change-load normal, claim l`,
);
check(
  'a critical load serves critical tasks only',
  `${WAITING}\ngo: running`,
  `load memory 0.97 → change-load critical
   go completes → claim c
   load memory 0.5 → change-load normal, claim h, claim n, claim l`,
);
check(
  'the processor counts as the memory does',
  'a: running',
  `load cpu 0.97 → change-load high
   load cpu 0.5 → change-load normal`,
);
check(
  'a mode is held until the reading has gone down a good deal',
  'a: running',
  `load memory 0.91 → change-load high
   load memory 0.86
   load memory 0.84 → change-load moderate`,
);
check(
  'the depth of the queue counts: 50, 80 and 95 in 100',
  ['run only-run: parallel 1', 'r: running', ...[1, 2, 3, 4, 5, 6, 7, 8].map((n) => `t${n}`)].join(
    '\n',
  ),
  `load queue 17
   load queue 16 → change-load moderate
   load queue 10 → change-load high
   load queue 8 → change-load critical`,
);
check(
  'what a high load leaves waiting does not stop everything when nothing else is left',
  'go: running\na: needs go, priority low\nb: needs go, priority low',
  `load memory 0.99 → change-load critical
   go completes → claim a, claim b`,
);
check(
  'under a critical load the highest class that waits goes on when nothing else is at work',
  `${WAITING.split('\n').slice(1).join('\n')}\ngo: running`,
  `load memory 0.99 → change-load critical
   go completes → claim h`,
);
check(
  'while a critical task is at work the others wait',
  'c: priority critical, running\ngo: running\nh: priority high, needs go',
  `load memory 0.99 → change-load critical
   go completes
   c completes → claim h`,
);
check(
  'load does not stop everything when what it serves can never start',
  'run only-run: limits db:1\nx: takes db:9\ngo: running\nlow: priority low, needs go',
  `load memory 0.91 → change-load high
   go completes → claim low`,
);
check(
  'load does not stop everything when what it serves waits for a person',
  'review: person, priority critical\ngo: running\na: needs go',
  `load memory 0.99 → change-load critical
   go completes → claim a`,
);
check(
  'load does not stop everything when what it serves waits for files a person has open',
  'person ann: writes x, unsaved\nx: writes x, priority critical\ngo: running\na: needs go',
  `load memory 0.99 → change-load critical
   go completes → claim a`,
);
check(
  'load does not stop everything when what it serves is of a run that nobody carries on',
  'run older-run: interrupted\nc: priority critical\nrun newer-run\ngo: running\na: needs go',
  `load memory 0.99 → change-load critical
   go completes → claim newer-run/a`,
);
check(
  'load does not stop everything when what it serves waits for a host that is away',
  'host h1: unreachable\nx: on h1, priority critical\ngo: running\na: needs go',
  `load memory 0.99 → change-load critical
   go completes → claim a`,
);
check(
  'what is inherited counts: a low task that a critical one waits for is served',
  'go: running\nlow: needs go, priority low\ntop: needs low, priority critical\nh: needs go, priority high',
  `load memory 0.99 → change-load critical
   go completes → claim low
   low completes → claim top
   top completes → claim h`,
);
check(
  'under load a task has more time',
  'a: timeout 10s, running, without lease\nb: timeout 100s, running, without lease',
  `load memory 0.8 → change-load moderate
   wait 14999ms
   wait 1ms → stop a
   load memory 0.99 → change-load critical
   wait 5s → kill a
   wait 470s
   wait 10s → stop b`,
);
check(
  'when the load passes, what is over time then is asked to end',
  'a: timeout 10s, running, without lease',
  `load memory 0.99 → change-load critical
   wait 40s
   load memory 0.1 → change-load normal, stop a`,
);
check(
  'the grace of a stop is not stretched',
  'a: running, without lease',
  `load memory 0.99 → change-load critical
   cancel a
   wait 5s → kill a`,
);
check(
  'a load keeps nobody from a task when it is all there is',
  'worker ann: person\na: person',
  `begin → wake ann for a
   load memory 0.99 → change-load critical
   ann claims a → claim a`,
);

test('what a load forbids does not start in the very turn that notices it', () => {
  const story = new Story('h: priority high\na: priority low');
  const load = { ...story.board.load, memory: 0.91 };
  story.board.apply({ kind: 'loadMeasured', at: story.now, load });
  expect(story.settle()).toBe('change-load high, claim h');
});
