import { expect, test } from 'vitest';
import { checkStory as check, Story } from '../../support/board-story.ts';

check(
  'so many run at once',
  'run only-run: parallel 2\na\nb\nc',
  `begin → claim a, claim b
   a completes → claim c`,
);
check(
  'a place is taken from the claim on, not from the start',
  'run only-run: parallel 1\na: claimed\nb',
  `begin
   a starts
   a completes → claim b`,
);
check(
  'what an agent or a person took for itself takes none of our places',
  'run only-run: parallel 1\na: agent, running, by ann\nb: person, running, by bob\nc',
  'begin → claim c',
);
check(
  'a lost attempt gives its place back',
  'run only-run: parallel 1\na: running, priority low\nb',
  'a is lost → claim b',
);
check(
  'why names the limit',
  'run only-run: parallel 1\na: running\nb',
  'why b → Waits for a free place (1 run at once). It starts when one of the running tasks ends, or raise the limit.',
);
check(
  'a place that is not free hides no other reason',
  'run only-run: parallel 1, limits db:1\na: takes db:1, writes x, running\nb: takes db:1, writes x',
  'why b → Waits for a free place (1 run at once). It starts when one of the running tasks ends, or raise the limit. Waits for db: it needs 1, and 1 of 1 are taken, used by a. It starts when enough of db is given back. Waits for a, which writes x too. It goes on when a has ended.',
);

check(
  'a hard limit asks it to end, and makes it after the grace',
  'a: timeout 5s, running',
  `wait 4s
   wait 999ms
   wait 1ms → stop a
   wait 4s
   wait 1s → kill a
   wait 1s`,
);
check(
  'a soft limit alone ends it after the grace too',
  'a: soft timeout 5s, running',
  `wait 5s → stop a
   wait 4999ms
   wait 1ms → kill a`,
);
check(
  'between a soft and a hard limit it may end by itself',
  'a: soft timeout 5s, timeout 20s, running',
  `wait 5s → stop a
   wait 14999ms
   wait 1ms → kill a`,
);
check(
  'a hard limit before the soft one counts',
  'a: soft timeout 20s, timeout 5s, running',
  'wait 5s → stop a',
);
check(
  'a limit counts from the start, not from the claim',
  'a: timeout 5s, claimed',
  `wait 6s
   a starts
   wait 4999ms
   wait 1ms → stop a`,
);
check(
  'a task that was cancelled has its grace and no more, whatever its limits',
  'a: soft timeout 10s, timeout 60m, running',
  `cancel a
   wait 4s
   wait 1s → kill a`,
);
check(
  'cancelling twice does not put off the end',
  'a: running',
  `cancel a
   wait 4s
   cancel a
   wait 1s → kill a`,
);
check(
  'what ends after it was asked to because of its limit has failed by it',
  'a: timeout 5s, running\nb: needs a',
  `wait 5s → stop a
   a is signalled → skip b because a, finish failed`,
);
check(
  'what completes after it was asked to end has completed',
  'a: timeout 5s, running\nb: needs a',
  `wait 5s → stop a
   a completes → claim b`,
);
check(
  'a limit that passed is a failure that may be tried again',
  'a: timeout 5s, running, retries 2',
  `wait 5s → stop a
   a is signalled
   wait 1s → claim a`,
);
check(
  'a limit goes on while a person looks',
  'a: timeout 5s, running',
  `a is stuck
   wait 5s → stop a`,
);
check(
  'nobody ends an agent that works for itself; its lease bounds it',
  'a: agent, timeout 5s, running, by ann',
  'wait 10m',
);
check(
  'limits are kept while the board is paused',
  'a: timeout 5s, running\nb: needs a',
  `pause board
   wait 5s → stop a`,
);

check(
  'a lease is over at its deadline, not before',
  'run only-run: parallel 1\na: lease 10s',
  `begin → claim a
   wait 9999ms
   a renews
   wait 9999ms
   wait 1ms → expire a`,
);
check(
  'whoever speaks at the deadline is too late',
  'a: lease 10s',
  `begin → claim a
   wait 10s → expire a
   a completes → stale`,
);
check('a claim without a lease is never swept', 'a: running, without lease', 'wait 600m');

/** A task that is stopped as its run is, in the very moment in which its limit is due. */
test('a task is asked to end once in a turn', () => {
  const story = new Story('a: timeout 5s, running, without lease');
  story.play('pause board');
  const run = story.run('only-run');
  story.board.apply({ kind: 'runStopAsked', at: story.now, run });
  expect(story.play('wait 5s')).toBe('stop a');
  expect(story.play('a is signalled')).toBe('finish cancelled');
});
