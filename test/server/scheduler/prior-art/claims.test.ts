import { expect, test } from 'vitest';
import { boardEventOf } from '../../../../server/scheduler/decision.ts';
import { Play } from '../../../support/board-play.ts';
import { play } from '../../../support/board-script.ts';
import { checkLast, checkStory as check, follow } from '../../../support/board-story.ts';

// What other schedulers got wrong about claims, leases and attempts, each as a rule of ours.

// omk took every task away after five minutes, since nothing renewed a lease.
check(
  'whoever renews keeps its task, however long it works',
  'a: lease 5m',
  `begin → claim a
   work 4m
   work 4m
   work 4m
   a completes → finish completed`,
);
// dagu: a worker accepted a claim and stopped reporting.
check(
  'whoever stops renewing loses its task',
  'worker ann\na: agent, lease 5m',
  `ann claims → claim a
   a renews
   +299s
   +1s → expire a`,
);
// omk, agh: an expired lease was no attempt, so one task could crash workers for ever.
check(
  'a task lost three times waits for a person instead of crashing workers for ever',
  'a: lease 1s',
  `begin → claim a
   +1s → expire a
   leftover a gone
   +1s → claim a
   +1s → expire a
   leftover a gone
   +1s → claim a
   +1s → expire a
   leftover a gone
   +600m
   why a → Needs you: it was lost three times. Retry it to begin anew, or cancel it.`,
);
// knittingCrab: the lease of the first attempt was never deleted, so no retry ever ran.
check(
  'a retry is claimed, whatever is left of the attempt before',
  'a: retries 3, running',
  `a fails
   +1s → claim a
   a fails
   +1s → claim a
   a completes → finish completed`,
);
// omk: two retries meant three attempts.
check(
  'two attempts are two, the first one included',
  'a: retries 2',
  `begin → claim a
   a fails
   +1s → claim a
   a fails → finish failed`,
);
// knittingCrab: renewals went on after the end, and turned it back.
check(
  'renewing after the end changes nothing',
  'a\nb: needs a',
  `begin → claim a
   a completes → claim b
   a renews → stale
   b completes → finish completed`,
);
// knittingCrab: anybody could renew, complete or fail anything.
test('only the current term may speak for a task', () => {
  const on = new Play('a: lease 1s');
  play(on, 'rest');
  const { term } = on.entry('a').claim?.holder ?? {};
  play(on, '+1s; rest; leftover a gone; +1s; rest');
  const next = on.entry('a').claim?.holder.term;
  expect(next).toBeGreaterThan(term ?? Infinity);
  const late = { kind: 'taskCompleted', term: term ?? 0, at: on.now } as const;
  expect(on.apply({ kind: 'taskMoved', ...on.about('a'), event: late })).toBe('refused');
  expect(on.entry('a').state.kind).toBe('claimed');
});
// openagentemail: an expired lease was shown, and counted, until somebody swept.
test('a lease that is over is over before anybody has swept it', () => {
  const on = new Play('worker ann\na: agent, lease 5m\nb: running');
  play(on, 'ann claims; +5m');
  expect(follow(on, 'a completes')).toBe('stale; expire a');
});
// knittingCrab compared times as texts, so a lease of the same day was never over.
check(
  'a lease ends by the millisecond',
  'a: lease 100ms',
  `begin → claim a
   +99ms
   +1ms → expire a`,
);
// kanban-md: two who picked at once both won; batty then released the other one's claim.
check(
  'of two who want one task the second is told who has it',
  'worker ann\nworker bob\na: agent, lease 10s',
  `begin → wake ann for a
   ann claims a → claim a
   bob claims a → held by ann until 11000
   bob claims → nothing-to-claim`,
);
check(
  'asking twice for the same task is having it once',
  'worker ann\na: agent, lease 10s',
  `begin → wake ann for a
   ann claims a → claim a
   ann claims a → own until 11000`,
);
// agh: whoever was woken could not claim, because the rules of both differed.
check(
  'whoever is woken for a task may claim it',
  'worker ann: can code\nworker bob: can code web\nrun only-run: limits db:1\na: agent, capable web, takes db:1\nb: agent, capable code',
  `begin → wake bob for a, wake ann for b
   bob claims a → claim a
   ann claims b → claim b`,
);
// omk shut a worker that had lost a task out for the rest of the run.
check(
  'a worker that has lost a task may take the next',
  'worker ann\na: agent, lease 1s\nb: agent',
  `begin → wake ann for a
   ann claims a → claim a
   +1s → expire a, wake ann for b
   ann claims b → claim b`,
);
// holon: a stale "running" made every wake a no-op for hours.
check(
  'a worker whose lease is over is idle again, and is woken',
  'worker ann\na: agent, lease 1s\nb: agent, needs c\nc: running',
  `begin → wake ann for a
   ann claims a → claim a
   a renews
   c completes
   +61s → expire a, wake ann for b`,
);
// knittingCrab: to give back what was taken from the queue was a no-op.
check(
  'a task that is given back while it runs is claimed again',
  'a: running',
  `a is released → claim a`,
);
// knittingCrab reported a failure that was not to be retried as a success.
check('a failure that is not tried again has failed', 'a: running', 'a fails 7 → finish failed');
// batty replayed decisions of an older release after an upgrade.
test('a decision that was carried out is not carried out again', () => {
  const on = new Play('a\nb: needs a');
  const [claim] = on.turns();
  if (claim === undefined) throw new Error('The task is claimed.');
  const minting = { now: on.now, mintTerm: (): number => 99 };
  expect(boardEventOf(claim, on.entry('a').state, minting)).toBeUndefined();
  play(on, 'a is released; rest');
  expect(boardEventOf(claim, on.entry('a').state, minting)).toBeUndefined();
});
// holon: a key that had been seen once kept the same work from ever starting again.
test('each attempt has a key of its own, and so nothing is taken for done', () => {
  const on = new Play('a: retries 9, running\nb: running');
  const script = ['a fails', '+1s', 'a is killed', '+1s', 'a is released', 'cancel a'];
  for (const step of [...script, 'a fails SIGTERM', 'retry a', 'a fails']) follow(on, step);
  const { keys } = on;
  expect(keys.length).toBeGreaterThan(3);
  expect(new Set(keys).size).toBe(keys.length);
});
// holon: the number of the attempt was lost in a restart; batty's counters were, by a kill.
checkLast(
  'what was tried before is part of the state, and outlives whoever counted',
  ['a: retries 9, running', 'a fails; +1s; rest; a is killed; +1s; rest; tries a'],
  'revision 1, 3 attempts, 1 failures, 1 losses',
);
// kanban-md: anybody could release anything.
check(
  'a stale holder gives back nothing that is somebody else’s',
  'worker ann\nworker bob\na: agent, lease 1s\nb: needs a',
  `begin → wake ann for a
   ann claims a → claim a
   +1s → expire a
   a is released → stale`,
);
// knittingCrab kept the record of a lease for ever.
check(
  'what has ended in time is not swept afterwards',
  'a: lease 1s\nb: person, needs a',
  `begin → claim a
   a completes
   +1s
   +60m`,
);
// holon: a wait that was replaced lost the result that it waited for.
check(
  'a result reaches who waits for it, though the plan was revised meanwhile',
  'a: running\nb: needs a',
  `revise only-run: a: writes x | b: needs a, writes y
   a completes → claim b`,
);
// phoenix: losers of a claim ran all the same.
check(
  'whoever loses a claim takes something else',
  'worker ann\nworker bob\na: agent, lease 10s, expects 5s\nb: agent',
  `begin → wake ann for a, wake bob for b
   ann claims → claim a
   bob claims a → held by ann until 11000
   bob claims → claim b`,
);
