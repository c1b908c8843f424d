import { expect, test } from 'vitest';
import { nextDueAt } from '../../../server/scheduler/model/next-due.ts';
import { Play } from '../../support/board-play.ts';
import { play } from '../../support/board-script.ts';
import { checkLast as check } from '../../support/board-story.ts';
import { AT } from '../../support/snapshots.ts';

const R = 'runner/local';
const LEFT = 'blocked: waits until nothing is left of a lost attempt at a';
const PULLED = 'worker ann\nworker bob\na: agent, lease 10s, writes x\nb: agent, writes x';
const LOST = 'ann claims a; ann renews a; +10s; rest';

check('a lost worker keeps its paths', [PULLED, `${LOST}; bob claims b`], LEFT);
check('it keeps them for a minute', [PULLED, `${LOST}; +59999ms; bob claims b`], LEFT);
check('after a minute they are free', [PULLED, `${LOST}; +1m; bob claims b`], 'claimed b');
check('the retry waits for its own leftover', [PULLED, `${LOST}; +59999ms; bob claims a`], LEFT);
check('and goes on with the others', [PULLED, `${LOST}; +1m; bob claims a`], 'claimed a');
check(
  'the retry waits even where it touches no files',
  [
    PULLED.replace('a: agent, lease 10s, writes x', 'a: agent, lease 10s'),
    `${LOST}; +1s; bob claims a`,
  ],
  LEFT,
);
check('whoever lost it waits as well', [PULLED, `${LOST}; +1s; ann claims a`], LEFT);
check(
  'who proves that it is gone frees the paths',
  [PULLED, `${LOST}; leftover a gone; bob claims b`],
  'claimed b',
);
check('a leftover goes once', [PULLED, `${LOST}; leftover a gone; leftover a gone`], 'refused');
check(
  'what touches other files does not wait',
  [`${PULLED}\nc: agent, writes y`, `${LOST}; bob claims c`],
  'claimed c',
);
check(
  'what was not confirmed leaves nothing',
  [PULLED, 'ann claims a; +10s; rest; bob claims b'],
  'claimed b',
);
check(
  'what was not confirmed is claimed again',
  [PULLED, 'ann claims a; +10s; rest; +1s; bob claims a'],
  'claimed a',
);
check(
  'a leftover begins when its loss is noticed',
  [PULLED, 'ann claims a; ann renews a; +30s; rest; +59999ms; bob claims b'],
  LEFT,
);
check(
  'a worker that says so itself leaves nothing',
  [PULLED, 'ann claims a; ann renews a; ann loses a killed; bob claims b'],
  'claimed b',
);
check(
  'a worker that releases leaves nothing',
  [PULLED, 'ann claims a; ann renews a; ann releases a; bob claims b'],
  'claimed b',
);
check(
  'a worker that ends leaves nothing',
  [PULLED, 'ann claims a; ann renews a; ann fails a; bob claims b'],
  'claimed b',
);
check(
  'a poisoned task keeps its paths too',
  [
    PULLED,
    `pause b; ${LOST}; +1m; ann claims a; ann renews a; +10s; rest; +1m; ann claims a; ann renews a; +10s; rest; resume b; bob claims b`,
  ],
  LEFT,
);

check(
  'a worker whose task was cancelled may still write',
  [PULLED, 'ann claims a; ann renews a; cancel a; bob claims b'],
  LEFT,
);
check(
  'it keeps its paths for a minute',
  [PULLED, 'ann claims a; ann renews a; cancel a; +1m; bob claims b'],
  'claimed b',
);
check(
  'a cancelled claim that was not confirmed leaves nothing',
  [PULLED, 'ann claims a; cancel a; bob claims b'],
  'claimed b',
);
check(
  'a retried task waits for what its cancelled attempt left',
  [PULLED, 'ann claims a; ann renews a; cancel a; retry a; bob claims a'],
  LEFT,
);
check(
  'a stopped run leaves what it takes back',
  [
    PULLED.replace('\nb:', '\nrun newer-run\nb:').replace('a: agent', 'run older-run\na: agent'),
    'ann claims a; ann renews a; stop; rest; bob claims b',
  ],
  LEFT,
);
check(
  'a cancelled worker with a long lease keeps its paths until that ends',
  [PULLED, 'ann claims a; ann renews a 5m; cancel a; +4m; bob claims b'],
  LEFT,
);

const PUSHED = 'a: lease 10s, writes x\nb: needs c, writes x\nc';
const RUN = `decide; ${R} starts a; ${R} completes c`;
check('a lost command keeps its paths', [PUSHED, `${RUN}; +10s; rest; decide`], '');
check(
  'until it is proved gone, however long that takes',
  [PUSHED, `${RUN}; +10s; rest; +10m; rest`],
  '',
);
check(
  'then others have them',
  [PUSHED, `${RUN}; +10s; rest; +1s; leftover a gone; decide`],
  'claim b',
);
check(
  'and its retry starts when they are free',
  [PUSHED, `${RUN}; +10s; rest; +1s; leftover a gone; decide; runner/local completes b; decide`],
  'claim a',
);
check(
  'a command that was never said to start may have',
  [PUSHED, `decide; ${R} completes c; +10s; rest; +1s; rest`],
  '',
);
check('a lost host keeps its paths', [PUSHED, `${RUN}; ${R} loses a host-lost; +1s; rest`], '');
check(
  'a command that we killed leaves nothing',
  [PUSHED, `${RUN}; ${R} loses a killed; +1s; decide`],
  'claim b',
);
check(
  'a command that did not start leaves nothing',
  [PUSHED, `${RUN}; ${R} loses a not-started; +1s; decide`],
  'claim b',
);
check(
  'a cancelled command has ended and leaves nothing',
  [PUSHED, `${RUN}; cancel a; ${R} fails a SIGTERM; decide`],
  'claim b',
);
check(
  'a host that is lost after a cancel may still write',
  [PUSHED, `${RUN}; cancel a; ${R} loses a host-lost; +1s; rest`],
  '',
);
check(
  'a lease that ends after a cancel leaves its paths owned',
  [PUSHED, `${RUN}; cancel a; +10s; rest; +1s; rest; decide`],
  '',
);
check(
  'a lost command goes on using what it was given',
  [
    'run the-only-run: limits db:1\na: lease 10s, takes db:1\nb: needs c, takes db:1\nc',
    `${RUN}; +10s; rest; +1s; rest`,
  ],
  '',
);
check(
  'the leftover of a run that has ended keeps its paths',
  [
    `run older-run\na: agent, lease 10s, writes x\nrun newer-run\nb: agent, writes x`,
    'ann claims a; ann renews a; cancel a; rest; bob claims b',
  ],
  LEFT,
);

check(
  'a lost worker keeps what it wrote without having said so',
  [
    'a: agent, lease 10s, writes x\nb: agent, writes y',
    'ann claims a; ann renews a; undeclared a y; +10s; rest; bob claims b',
  ],
  LEFT,
);
check(
  'for as long as the rest',
  [
    'a: agent, lease 10s, writes x\nb: agent, writes y',
    'ann claims a; ann renews a; undeclared a y; +10s; rest; +1m; bob claims b',
  ],
  'claimed b',
);
check(
  'though it had declared nothing',
  [
    'a: agent, lease 10s\nb: agent, writes y',
    'ann claims a; ann renews a; undeclared a y; +10s; rest; bob claims b',
  ],
  LEFT,
);

test('the end of a leftover is when something is due', () => {
  const on = new Play('a: agent, lease 10s, writes x');
  play(on, 'ann claims a; ann renews a; +10s; rest; pause a');
  expect(nextDueAt(on.board)).toBe(AT + 70_000);
  play(on, '+1m; rest');
  expect(nextDueAt(on.board)).toBeUndefined();
});

test('a revised run keeps its leftovers', () => {
  const on = new Play(PULLED);
  play(on, `${LOST}; revise only-run: a: agent, writes x | b: agent, writes x`);
  expect(play(on, '+1s; bob claims a')).toBe(LEFT);
  expect(play(on, 'bob claims b')).toBe(LEFT);
  expect(play(on, '+1m; bob claims a')).toBe('claimed a');
});

test('a task that leaves the plan and comes back waits for its lost attempt', () => {
  const on = new Play(PULLED);
  play(on, `${LOST}; revise only-run: b: agent; revise only-run: a: agent | b: agent`);
  expect(play(on, '+1s; bob claims a')).toBe(LEFT);
  expect(play(on, '+1m; bob claims a')).toBe('claimed a');
});

test('two boards do not share their leftovers', () => {
  const on = new Play(PULLED);
  play(on, LOST);
  expect(on.board.owners.leftovers.size).toBe(1);
  expect(new Play(PULLED).board.owners.leftovers.size).toBe(0);
});
