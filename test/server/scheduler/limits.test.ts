import { expect, test } from 'vitest';
import { Play } from '../../support/board-play.ts';
import { play } from '../../support/board-script.ts';
import { checkStory as check, follow } from '../../support/board-story.ts';

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
  `+4s
   +999ms
   +1ms → stop a
   +4s
   +1s → kill a
   +1s`,
);
check(
  'a soft limit alone ends it after the grace too',
  'a: soft timeout 5s, running',
  `+5s → stop a
   +4999ms
   +1ms → kill a`,
);
check(
  'between a soft and a hard limit it may end by itself',
  'a: soft timeout 5s, timeout 20s, running',
  `+5s → stop a
   +14999ms
   +1ms → kill a`,
);
check(
  'a hard limit before the soft one counts',
  'a: soft timeout 20s, timeout 5s, running',
  '+5s → stop a',
);
check(
  'a limit counts from the start, not from the claim',
  'a: timeout 5s, claimed',
  `+6s
   a starts
   +4999ms
   +1ms → stop a`,
);
check(
  'a task that was cancelled has its grace and no more, whatever its limits',
  'a: soft timeout 10s, timeout 60m, running',
  `cancel a
   +4s
   +1s → kill a`,
);
check(
  'cancelling twice does not put off the end',
  'a: running',
  `cancel a
   +4s
   cancel a
   +1s → kill a`,
);
check(
  'what ends after it was asked to because of its limit has failed by it',
  'a: timeout 5s, running\nb: needs a',
  `+5s → stop a
   a fails SIGTERM → skip b because a, finish failed`,
);
check(
  'what completes after it was asked to end has completed',
  'a: timeout 5s, running\nb: needs a',
  `+5s → stop a
   a completes → claim b`,
);
check(
  'a limit that passed is a failure that may be tried again',
  'a: timeout 5s, running, retries 2',
  `+5s → stop a
   a fails SIGTERM
   +1s → claim a`,
);
check(
  'a limit goes on while a person looks',
  'a: timeout 5s, running',
  `a sticks
   +5s → stop a`,
);
check(
  'nobody ends an agent that works for itself; its lease bounds it',
  'a: agent, timeout 5s, running, by ann',
  '+10m',
);
check(
  'limits are kept while the board is paused',
  'a: timeout 5s, running\nb: needs a',
  `pause
   +5s → stop a`,
);

check(
  'a lease is over at its deadline, not before',
  'run only-run: parallel 1\na: lease 10s',
  `begin → claim a
   +9999ms
   a renews
   +9999ms
   +1ms → expire a`,
);
check(
  'whoever speaks at the deadline is too late',
  'a: lease 10s',
  `begin → claim a
   +10s → expire a
   a completes → stale`,
);
check('a claim without a lease is never swept', 'a: running, without lease', '+600m');

/** A task that is stopped as its run is, in the very moment in which its limit is due. */
test('a task is asked to end once in a turn', () => {
  const on = new Play('a: timeout 5s, running, without lease');
  play(on, 'pause; stop');
  expect(follow(on, '+5s')).toBe('stop a');
  expect(follow(on, 'a fails SIGTERM')).toBe('finish cancelled');
});
