import { checkStory as check } from '../../support/board-story.ts';

check(
  'of several hosts the one with the fewest tasks is chosen',
  'host h1\nhost h2\na: on h1, running\nb: on h1 h2\nc: on h1 h2\nd: on h1 h2',
  'begin → claim b on h2, claim c on h1, claim d on h2',
);
check(
  'of equal hosts the first in the order of the plan is chosen',
  'host h1\nhost h2\na: on h2 h1',
  'begin → claim a on h2',
);
check(
  'the host with the most of its places free is chosen',
  'host h1: limits parallel:2\nhost h2: limits parallel:8\na: on h1, running\nb: on h2, running\nc: on h1 h2',
  'begin → claim c on h2',
);
check(
  'a host whose memory is nearly all in use comes after one with more to spare',
  'host h1: limits memory:8\nhost h2: limits memory:8\na: on h1, takes memory:6, running\nb: on h2, takes memory:2, running\nc: on h2, running\nd: on h1 h2, takes memory:1',
  'begin → claim d on h2',
);
check(
  'a host that others keep busy comes after one that they do not',
  'host h1: limits parallel:8, busy load:0.9\nhost h2: limits parallel:8, busy load:0.1\na: on h1 h2',
  'begin → claim a on h2',
);
check(
  'a task goes where what it needs was made',
  'host h1: limits parallel:4\nhost h2: limits parallel:4\na: on h2\nb: needs a, on h1 h2',
  `begin → claim a on h2
   a completes → claim b on h2`,
);
check(
  'and elsewhere where that host has enough to do',
  'host h1: limits parallel:4\nhost h2: limits parallel:4, busy load:1.5\na: on h2\nb: needs a, on h1 h2',
  `begin → claim a on h2
   a completes → claim b on h1`,
);
check(
  'most of what it needs counts',
  'host h1\nhost h2\na: on h1\nb: on h2\nc: on h2\nd: needs a b c, on h1 h2',
  `begin → claim a on h1, claim b on h2, claim c on h2
   a completes
   b completes
   c completes → claim d on h2`,
);
check(
  'a task is tried again where it was tried before',
  'host h1: limits parallel:4\nhost h2: limits parallel:4\na: on h1 h2, retries 2\nb: on h1, needs a',
  `begin → claim a on h1
   a fails
   +1s → claim a on h1`,
);
check(
  'what this machine has made is here',
  'host h1: limits parallel:4\nhost local: limits cpu:4\na\nb: needs a, on h1 local',
  `begin → claim a
   a completes → claim b`,
);
check(
  'this machine gives the rest to others when it has enough to do',
  'host local: limits cpu:2\nhost h1: limits parallel:4\na: on local h1\nb: on local h1\nc: on local h1\nd: on local h1',
  'begin → claim a, claim b on h1, claim c on h1, claim d',
);
check(
  'a host that cannot be reached is passed over',
  'host h1: unreachable\nhost h2\na: on h1 h2',
  'begin → claim a on h2',
);
check(
  'a task goes on when its host can be reached again',
  'host h1: unreachable\na: on h1',
  `why a → Waits for h1, which cannot be reached. It goes on when h1 can be reached again.
   host h1 is reachable → claim a on h1`,
);
check(
  'a host that cannot be reached is no failure of what runs there',
  'host h1\na: on h1, running',
  `host h1 is unreachable
   a completes → finish completed`,
);
check(
  'each host that does not take it gives its own reason',
  'host h1: unreachable\nhost h2: limits parallel:1\na: on h1 h2\nb: on h2, running',
  'why a → Waits for h1, which cannot be reached. It goes on when h1 can be reached again. Waits for a free place on h2 (1 run there at once). It starts when one of the tasks there ends, or give that host more slots.',
);
check(
  'a host that does not exist is left out where another does',
  'host h2\na: on h1 h2',
  'begin → claim a on h2',
);
check(
  'a task whose hosts do not exist can never start',
  'a: on h1 h2\nb: running',
  'why a → Can never start: h1, h2 are not among your hosts. Name one of them in the setting interlock.hosts or in hosts.json, or choose another host.',
);
check(
  'a host has its own number of places, and this machine has its',
  'host h1: limits parallel:2\nrun only-run: parallel 1\na: on h1\nb: on h1\nc: on h1\nd\ne',
  `begin → claim a on h1, claim b on h1, claim d
   a completes → claim c on h1
   d completes → claim e`,
);
check(
  'where this machine is full, a host takes what may run there too',
  'host h1: limits parallel:1\nrun only-run: parallel 1\na: running\nb: on local h1\nc: on local h1\nd',
  `begin → claim b on h1
   why c → Waits for a free place (1 run at once). It starts when one of the running tasks ends, or raise the limit. Waits for a free place on h1 (1 run there at once). It starts when one of the tasks there ends, or give that host more slots.
   a completes → claim c`,
);
check(
  'what one run has on hosts takes no place from another that is here',
  'host h1\nrun older-run: parallel 1\na: on h1, running\nb: on h1, running\nrun newer-run: parallel 1\nc',
  'begin → claim newer-run/c',
);
check(
  'the limits of one host are not those of another',
  'host h1: limits cpu:1\nhost h2: limits cpu:4\na: on h1 h2, takes cpu:2\nb: on h1 h2, takes cpu:1',
  'begin → claim a on h2, claim b on h1',
);
check(
  'a host must have what a task needs',
  'host h1: can gpu\nhost h2: can gpu web\na: on h1 h2, capable web gpu\nb: on h1 h2, capable tpu',
  `begin → claim a on h2
   why b → Can never start: it needs tpu, which no place has. Choose another host for it, or change what it needs.`,
);
check(
  'a task that was lost on one host goes to another that takes it',
  'host h1: apart\nhost h2: apart\na: on h1 h2',
  `begin → claim a on h1
   a is lost
   +1s → claim a on h2`,
);
check(
  'a task that its host has lost waits for it where both would work in one tree',
  'host h1\nhost h2\na: on h1 h2',
  `begin → claim a on h1
   host h1 is unreachable
   a is lost
   +1s
   why a → Waits until nothing is left of a lost attempt at a on h1. It goes on when that is proved, for which h1 must be reached; if it never comes back, set "gone" of it to true where your hosts are named.`,
);
check(
  'and goes to another at once where each works in a tree of its own',
  'host h1: apart\nhost h2\na: on h1 h2, writes x\nb: writes x, needs c\nc: running',
  `begin → claim a on h1
   host h1 is unreachable
   a is lost
   +1s → claim a on h2
   c completes
   why b → Waits for a, which writes x too. It goes on when a has ended.
   a completes → claim b`,
);
check(
  'what it was given of the whole board is still its own',
  'run only-run: limits db:1\nhost h1: apart\nhost h2\na: on h1 h2, takes db:1',
  `begin → claim a on h1
   host h1 is unreachable
   a is lost
   +1s
   why a → Waits for h1, which cannot be reached. It goes on when h1 can be reached again. Waits for db: it needs 1, and 1 of 1 are taken, used by a lost attempt on h1. It starts when enough of db is given back, for which h1 must be reached; if it never comes back, set "gone" of it to true where your hosts are named.
   leftover a gone → claim a on h2`,
);
check(
  'a lost attempt takes no place on its host, which may be gone for days',
  'host h1: limits parallel:1\na: on h1, running, priority low\nb: on h1',
  'a is lost → claim b on h1',
);

const SIX = 'abcdef'.split('').map((id) => `${id}: on h1, running`);
const ALL_LOST = 'abcdef'.split('').map((id) => `${id} is lost`);
const ALL_PROVED = 'abcdef'.split('').map((id) => `leftover ${id} gone`);

check(
  'five lost starts in a row keep everybody away from a host for a minute',
  ['host h1', 'host h2', ...SIX, 'x: needs y, on h1', 'y: running'].join('\n'),
  `${ALL_LOST.join('\n')}
   y completes
   why x → Waits for h1, where too much has failed. h1 is tried again by itself, in 1 min 0 s at the latest.`,
);
check(
  'four lost starts keep nobody away',
  ['host h1', ...SIX, 'x: needs y, on h1', 'y: running'].join('\n'),
  `${ALL_LOST.slice(0, 4).join('\n')}
   y completes → claim x on h1`,
);
check(
  'a start that went well begins the count anew',
  ['host h1', ...SIX, 'x: needs y, on h1', 'y: running', 'z: on h1'].join('\n'),
  `begin → claim z on h1
   ${ALL_LOST.slice(0, 4).join('\n')}
   z starts
   e is lost
   y completes → claim x on h1`,
);
check(
  'a command that fails says nothing against its host',
  ['host h1', ...SIX, 'x: needs y, on h1', 'y: running'].join('\n'),
  `${'abcdef'
    .split('')
    .map((id) => `${id} fails`)
    .join('\n')}
   y completes → claim x on h1`,
);
check(
  'a host that failed is passed over where another takes the task',
  ['host h1', 'host h2', ...SIX, 'x: needs y, on h1 h2', 'y: running'].join('\n'),
  `${ALL_LOST.join('\n')}
   y completes → claim x on h2`,
);
check(
  'a host that is tried again comes last',
  ['host h1', 'host h2', ...SIX, 'p: on h2', 'q: on h2', 'x: needs y, on h1 h2', 'y: running'].join(
    '\n',
  ),
  `begin → claim p on h2, claim q on h2
   ${ALL_LOST.join('\n')}
   work 60s
   y completes → claim x on h2`,
);
check(
  'a host that is tried again gets three tasks, and two that start let it in again',
  ['host h1', ...SIX].join('\n'),
  `${[...ALL_LOST, ...ALL_PROVED].join('\n')}
   +59s
   +1s → claim b on h1, claim e on h1, claim d on h1
   b starts
   e starts → claim c on h1, claim f on h1, claim a on h1`,
);
check(
  'a host that fails two of its three trials is left alone for another minute',
  ['host h1', ...SIX].join('\n'),
  `${[...ALL_LOST, ...ALL_PROVED].join('\n')}
   +60s → claim b on h1, claim e on h1, claim d on h1
   b starts
   e is lost
   d is lost
   why a → Waits for h1, where too much has failed. h1 is tried again by itself, in 1 min 0 s at the latest.`,
);
check(
  'a trial that never reports has failed when it is due',
  ['host h1', ...SIX.map((line) => `${line}, without lease`)].join('\n'),
  `${[...ALL_LOST, ...ALL_PROVED].join('\n')}
   +60s → claim b on h1, claim e on h1, claim d on h1
   +60s
   +59s
   +1s → claim c on h1, claim f on h1, claim a on h1`,
);

check(
  'a task for an agent that does not exist can never start',
  'a: starts claude\nb: running',
  'why a → Can never start: there is no agent claude. Add claude to the agents of the plan.',
);
check(
  'an agent that reports a rate limit waits for a minute, and its task has not failed',
  'agent claude\na: starts claude\nb: starts claude\nc',
  `begin → claim a, claim b, claim c
   a is rate-limited
   why a → Waits for claude, which has reached its rate limit. claude is used again by itself, in 1 min 0 s at the latest.
   work 59s
   work 1s → claim a`,
);
check(
  'a rate limit of one agent holds up no other',
  'agent claude\nagent gemini\na: starts claude\nb: starts gemini, needs c\nc',
  `begin → claim c, claim a
   a is rate-limited
   c completes → claim b`,
);
check(
  'a second rate limit soon after the first doubles the wait',
  'agent claude\na: starts claude',
  `begin → claim a
   a is rate-limited
   +60s → claim a
   a is rate-limited
   +60s
   +60s → claim a`,
);
check(
  'an agent that keeps failing is left alone for a minute',
  'agent claude\na: starts claude, retries 9\nb: starts claude, needs c\nc: running',
  `begin → claim a
   a fails
   +5s → claim a
   a fails
   +5s → claim a
   a fails
   +5s → claim a
   a fails
   +5s → claim a
   a fails
   why a → Waits before attempt 6. It is tried again by itself; retry it to try at once, in 1.3 s at the latest. Waits for claude, which has failed too often. claude is used again by itself, in 1 min 0 s at the latest.`,
);
check(
  'a trial of an agent that takes long has not failed while it renews',
  [
    'agent claude',
    ...'abcdef'.split('').map((id) => `${id}: starts claude, running, expects 10m`),
    ...'uvwxyz'.split('').map((id) => `${id}: starts claude, needs go`),
    'go: running',
  ].join('\n'),
  `${'abcdef'
    .split('')
    .map((id) => `${id} fails`)
    .join('\n')}
   work 60s
   go completes → claim u, claim v, claim w
   u starts
   v starts
   w starts
   work 20s
   work 20s
   work 20s
   work 20s
   u completes
   v completes → claim x, claim y, claim z`,
);
check(
  'capabilities of the agent count for a task that starts one',
  'agent claude: can code\na: starts claude, capable code\nb: starts claude, capable web',
  `begin → claim a
   why b → Can never start: it needs web, which no place has. Choose another host for it, or change what it needs.`,
);
check(
  'a host need not be reached for what others give back',
  'host h1: apart\nrun only-run: limits db:4\na: on h1, takes db:1\nb: takes db:3\nc: takes db:1',
  `begin → claim a on h1, claim b
   host h1 is unreachable
   a is lost
   why c → Waits for db: it needs 1, and 4 of 4 are taken, used by b, a lost attempt on h1. It starts when enough of db is given back.`,
);
