import { expect, test } from 'vitest';
import {
  Crashes,
  crashText,
  givenUpText,
  resumedText,
} from '../../client/server-survival-model.ts';

const MINUTE = 60_000;

/** Deaths at these minutes, and what is done after each. */
function checkDeaths(name: string, deaths: readonly number[], expected: string): void {
  test(name, () => {
    const crashes = new Crashes();
    expect(deaths.map((minute) => crashes.add(minute * MINUTE)).join(', ')).toBe(expected);
  });
}

checkDeaths('a death is said', [1], 'say');
checkDeaths('of deaths that follow each other one is said', [1, 1.5, 2], 'say, restart, restart');
checkDeaths(
  'the fourth in three minutes is the last',
  [1, 1, 2, 3],
  'say, restart, restart, give-up',
);
checkDeaths(
  'now and then is not again and again',
  [1, 3, 5, 7, 9],
  'say, restart, restart, restart, restart',
);
checkDeaths('what was long ago is forgotten', [1, 10], 'say, say');

test('whoever starts it by hand has all attempts again', () => {
  const crashes = new Crashes();
  for (const at of [1, 2, 3, 4]) crashes.add(at);
  crashes.forget();
  expect(crashes.add(5)).toBe('say');
});

/** Counts of running, finished and lost tasks. */
function checkFound(counts: readonly [number, number, number], expected: string | undefined): void {
  const [runningCount, finishedCount, lostCount] = counts;
  test(`${counts.join(', ')}: ${expected}`, () => {
    expect(resumedText({ runningCount, finishedCount, lostCount })).toBe(expected);
  });
}

checkFound([0, 0, 0], undefined);
checkFound([1, 0, 0], 'Re-attached to 1 running task, 0 lost');
checkFound([2, 0, 0], 'Re-attached to 2 running tasks, 0 lost');
checkFound([0, 1, 2], 'Re-attached to 0 running tasks, 1 finished meanwhile, 2 lost');

test('after a death there is one sentence, with what was found', () => {
  const said = 'The language server of Interlock ended unexpectedly and was started again.';
  expect(crashText({ runningCount: 0, finishedCount: 0, lostCount: 0 })).toBe(said);
  expect(crashText({ runningCount: 2, finishedCount: 0, lostCount: 0 })).toBe(
    `${said} Re-attached to 2 running tasks, 0 lost.`,
  );
  expect(givenUpText()).toContain('4 times within 3 minutes');
});
