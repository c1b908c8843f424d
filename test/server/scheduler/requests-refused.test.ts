import { expect, test } from 'vitest';
import { Play } from '../../support/board-play.ts';
import { tell } from '../../support/board-script.ts';
import { workerId } from '../../support/snapshots.ts';

/** What the last step of a story says. */
function check(name: string, [text, script]: readonly [string, string], expected: string): void {
  test(name, () => {
    expect(tell(text, script)).toBe(expected);
  });
}

const FAST = 'run only-run: fail-fast\nx: running';

check(
  'one of two failures is not retried where the first failure ends the run',
  [`${FAST}\na: failed\nb: failed`, 'retry a'],
  'refused: run-ends',
);
check('the only failure is', [`${FAST}\na: failed`, 'retry a; decide'], 'claim a');
check(
  'what was cancelled because of a failure is not retried before it',
  [`${FAST}\na: failed\nb: cancelled`, 'retry b'],
  'refused: run-ends',
);
check(
  'it is after it',
  [`${FAST}\na: failed\nb: cancelled`, 'retry a; retry b; decide'],
  'claim a, claim b',
);
check(
  'a skipped task is retried with the only failure',
  [`${FAST}\na: failed\nb: needs a, skipped`, 'retry b; rest'],
  'revive b, claim a',
);
check(
  'a question is not answered in a run that ends',
  [`${FAST}\na: failed\nb: attention`, 'answer b'],
  'refused: run-ends',
);
check(
  'nothing of a run that is stopped is retried',
  ['run only-run: stopping\nx: running\na: failed', 'retry a'],
  'refused: run-ends',
);
check(
  'where failures do not end the run, any of them is retried',
  ['x: running\na: failed\nb: failed', 'retry a; decide'],
  'claim a',
);

const BOT = 'worker bot\na: agent, lease 10s';

check(
  'an agent that has not begun is answered its claim again',
  [BOT, 'bot claims a; bot claims a'],
  'own until 11000',
);
check(
  'a second agent of the same name does not get what the first one works on',
  [BOT, 'bot claims a; bot renews a; bot claims a'],
  'held by bot until 11000',
);
check(
  'nor what the first one was stuck with',
  [BOT, 'bot claims a; bot renews a; bot sticks a; bot claims a'],
  'held by bot until 11000',
);
check(
  'a person is one person, wherever they ask',
  ['worker ann: person\na: person', 'ann claims a; ann renews a; ann claims a'],
  'own until released',
);

check(
  'tasks that were skipped for each other have nothing to retry',
  ['a: needs b, skipped\nb: needs a, skipped\nz: person', 'retry a'],
  'refused: nothing-to-do',
);

test('nobody has a lease of more than a day', () => {
  const on = new Play('worker ann: agent\na: agent');
  const leaseMs = Number.POSITIVE_INFINITY;
  on.claim({ worker: on.worker(workerId('ann')), task: on.about('a'), leaseMs });
  expect(on.entry('a').claim?.holder.expiresAt).toBe(on.now + 24 * 60 * 60_000);
});

test.for([0, -1, Number.NaN])('a lease of %d ms is one of a second', (leaseMs) => {
  const on = new Play('worker ann: agent\na: agent');
  on.claim({ worker: on.worker(workerId('ann')), task: on.about('a'), leaseMs });
  expect(on.entry('a').claim?.holder.expiresAt).toBe(on.now + 1000);
});
