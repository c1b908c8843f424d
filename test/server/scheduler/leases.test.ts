import { expect, test } from 'vitest';
import { decide } from '../../../server/scheduler/decide.ts';
import { nextDueAt } from '../../../server/scheduler/model/next-due.ts';
import { Play } from '../../support/board-play.ts';
import { play } from '../../support/board-script.ts';
import { checkLast as check } from '../../support/board-story.ts';
import { AT, workerId } from '../../support/snapshots.ts';

const PULLED = 'worker ann\na: agent, lease 10s';
const PUSHED = 'a: lease 10s';
const RUNNER = 'runner/local';

/** The same story of a task that was claimed by a worker, and of one that we claimed for a runner. */
function checkBoth(name: string, script: string, expected: string): void {
  check(`pulled: ${name}`, [PULLED, `ann claims a; ${script}`], expected);
  check(`pushed: ${name}`, [PUSHED, `decide; ${script.replaceAll('ann', RUNNER)}`], expected);
}

const BOUNDARIES: readonly (readonly [verb: string, inTime: string])[] = [
  ['renews a 20s', 'leaseRenewed'],
  ['completes a', 'taskCompleted'],
  ['fails a', 'taskFailed'],
  ['releases a', 'taskReleased'],
  ['asks a', 'taskAsked'],
  ['sticks a', 'taskStuck'],
  ['loses a killed', 'taskLost'],
  ['limits a', 'taskReleased'],
];
for (const [verb, inTime] of BOUNDARIES) {
  const said = `ann ${verb}`;
  checkBoth(
    `whoever ${verb} just before the deadline is heard`,
    `ann starts a; +9999ms; ${said}`,
    inTime,
  );
  checkBoth(`whoever ${verb} at the deadline is too late`, `ann starts a; +10s; ${said}`, 'stale');
  checkBoth(
    `whoever ${verb} after the sweep is too late`,
    `ann starts a; +10s; decide; ${said}`,
    'stale',
  );
  checkBoth(
    `whoever ${verb} long after the deadline is too late, though nobody has swept`,
    `ann starts a; +10m; ${said}`,
    'stale',
  );
}

check(
  'a renewal counts from when it is said',
  [PULLED, 'ann claims a; +4s; ann renews a; state a'],
  'running by ann until 15000',
);
check(
  'a renewal of a runner counts from when it is said',
  [PUSHED, `decide; ${RUNNER} starts a; +4s; ${RUNNER} renews a; state a`],
  'running by runner/local until 15000',
);
checkBoth('at its deadline a lease is swept', '+10s; decide', 'expire a');
checkBoth('before its deadline a lease is not swept', '+9999ms; decide', '');
checkBoth(
  'a renewed lease is not swept at its first deadline',
  '+5s; ann renews a; +9999ms; decide',
  '',
);
checkBoth(
  'a renewed lease is swept at its second one',
  '+5s; ann renews a; +10s; decide',
  'expire a',
);
checkBoth(
  'an expired lease counts as a lost attempt',
  '+10s; decide; tries a',
  'revision 1, 1 attempts, 0 failures, 1 losses',
);
checkBoth('a lease that is over is swept once', '+10s; decide; decide', '');

check(
  'the first renewal confirms a claim',
  [PULLED, 'ann claims a; ann renews a'],
  'taskStarted leaseRenewed',
);
check(
  'later ones only renew',
  [PULLED, 'ann claims a; ann renews a; ann renews a'],
  'leaseRenewed',
);
check(
  'a renewal does not start what a runner of ours has',
  [PUSHED, `decide; ${RUNNER} renews a`],
  'leaseRenewed',
);
check(
  'a person confirms without a deadline',
  ['worker ann: person\na: person', 'ann claims a; ann renews a'],
  'taskStarted',
);
check(
  'a person need not renew',
  ['worker ann: person\na: person', 'ann claims a; +10m; decide; state a'],
  'claimed by ann until released',
);
check(
  'a lease lasts as long as its renewal asks for',
  [PULLED, 'ann claims a; ann renews a 30s; state a'],
  'running by ann until 31000',
);
check(
  'a person who asked for a lease can renew it',
  [
    'worker ann: person\na: person',
    'ann claims a for 10s; +5s; ann renews a; +6s; ann completes a',
  ],
  'taskCompleted',
);
check('whoever starts twice starts once', [PULLED, 'ann claims a; ann starts a; ann starts a'], '');
check(
  'a flagged task is renewed and stays flagged',
  [PULLED, 'ann claims a; ann starts a; ann sticks a; ann renews a; state a'],
  'attention stuck held',
);
check(
  'a flagged task expires too',
  [PULLED, 'ann claims a; ann starts a; ann sticks a; +10s; decide; tries a'],
  'revision 1, 1 attempts, 0 failures, 1 losses',
);

const THREE =
  'ann claims a; +10s; rest; +10s; ann claims a; +10s; rest; +10s; ann claims a; +10s; rest';
check(
  'two losses are made good',
  [PULLED, 'ann claims a; +10s; rest; +10s; ann claims a; +10s; rest; +1s; ann claims a'],
  'claimed a',
);
check('the third loss needs a person', [PULLED, `${THREE}; state a`], 'attention poisoned');
check(
  'who is poisoned is not tried again',
  [PULLED, `${THREE}; +10m; ann claims a`],
  'blocked: needs you: it was lost three times',
);
check(
  'a poisoned task that is answered begins anew',
  [PULLED, `${THREE}; answer a; tries a`],
  'revision 2, 0 attempts, 0 failures, 0 losses',
);
check(
  'a poisoned task that is retried is claimed',
  [PULLED, `${THREE}; retry a; ann claims a`],
  'claimed a',
);
check(
  'losses of every kind count together',
  [
    PULLED,
    'ann claims a; ann loses a killed; +1s; ann claims a; ann loses a not-started; +1s; ann claims a; ann loses a host-lost; state a',
  ],
  'attention poisoned',
);
check(
  'a failure is no loss',
  [`${PULLED}, retries 9`, 'ann claims a; ann fails a; tries a'],
  'revision 1, 1 attempts, 1 failures, 0 losses',
);

check(
  'the sweep goes on while the board is paused',
  [PULLED, 'ann claims a; pause; +10s; decide'],
  'expire a',
);
check(
  'the sweep goes on while the task is paused',
  [PULLED, 'ann claims a; pause a; +10s; decide'],
  'expire a',
);
check(
  'a lease on a paused board is renewed',
  [PULLED, 'ann claims a; pause; ann renews a'],
  'taskStarted leaseRenewed',
);
check(
  'what ends on a paused board has ended',
  [PULLED, 'ann claims a; pause; ann completes a; state a'],
  'completed',
);
check(
  'what expired on a paused board is not claimed',
  [PULLED, 'ann claims a; pause; +10s; rest; +1s; ann claims a'],
  'blocked: waits: everything is paused',
);

/** One task for each of these, with a lease of its own, all claimed at once. */
function boardWithLeases(leasesMs: readonly number[]): Play {
  const tasks = leasesMs.map(
    (ms, index) => `t${String(index).padStart(3, '0')}: agent, lease ${ms}ms`,
  );
  const on = new Play(tasks.join('\n'));
  for (let index = 0; index < tasks.length; index += 1)
    on.claim({ worker: on.worker(workerId(`w${index}`)) });
  return on;
}

test('a sweep takes a hundred leases at most, and the rest in the next turn', () => {
  const on = boardWithLeases(Array.from({ length: 205 }, () => 10_000));
  on.wait(10_000);
  const sweeps = [on.turn(), on.turn(), on.turn(), on.turn()].map(
    (decisions) => decisions.filter(({ kind }) => kind === 'expire').length,
  );
  expect(sweeps).toStrictEqual([100, 100, 5, 0]);
});

test('the earliest deadline is swept first', () => {
  const leasesMs = Array.from({ length: 150 }, (_, index) => 1000 + ((index * 37) % 150));
  const on = boardWithLeases(leasesMs);
  on.wait(5000);
  const deadlines = decide(on.board, on.now).flatMap((decision) =>
    decision.kind === 'expire' ? decision.deadline : [],
  );
  expect(deadlines).toStrictEqual(Array.from({ length: 100 }, (_, index) => AT + 1000 + index));
});

test('a lost attempt comes back after a backoff with a jitter', () => {
  const on = new Play(PULLED);
  play(on, 'ann claims a; +10s; decide');
  const first = on.entry('a').state;
  const waitMs = first.kind === 'pending' ? (first.notBefore ?? 0) - on.now : 0;
  expect(waitMs).toBeGreaterThanOrEqual(80);
  expect(waitMs).toBeLessThanOrEqual(120);
});

test('the next thing to happen is the end of the earliest lease', () => {
  const on = new Play('a: agent, lease 10s\nb: agent, lease 5s');
  play(on, 'ann claims a; bob claims b');
  expect(nextDueAt(on.board)).toBe(AT + 5000);
  play(on, '+1s; bob renews b');
  expect(nextDueAt(on.board)).toBe(AT + 6000);
});
