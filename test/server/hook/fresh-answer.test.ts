import { expect, test } from 'vitest';
import { instant } from '../../../server/domain/time.ts';
import { freshAnswer } from '../../../server/hook/fresh-answer.ts';

const patienceMs = 1500;

/** What is answered, one after another, and how long each answer takes. */
function asking(...answers: readonly (readonly [answer: string, ms: number])[]) {
  const left = [...answers];
  let now = 1_000_000;
  return {
    asked: () => answers.length - left.length,
    ask: async (): Promise<string> => {
      const [answer, ms] = left.shift()!;
      now += ms;
      return await Promise.resolve(answer);
    },
    how: { clock: { now: () => instant(now) }, patienceMs },
  };
}

test('an answer that comes at once counts, and so does silence for as long as it may last', async () => {
  const quick = asking(['free', 20]);
  expect(await freshAnswer(quick.ask, quick.how)).toBe('free');
  const silent = asking(['silent', patienceMs]);
  expect(await freshAnswer(silent.ask, silent.how)).toBe('silent');
  expect([quick.asked(), silent.asked()]).toEqual([1, 1]);
});

test('a hook that was stopped while it asked asks again', async () => {
  for (const first of ['free', 'silent']) {
    const { ask, how } = asking([first, 85_000], ['held', 20]);
    expect(await freshAnswer(ask, how)).toBe('held');
  }
});

test('where each answer is too old, nothing is known', async () => {
  const { ask, asked, how } = asking(['a', 9000], ['b', 9000], ['c', 9000]);
  expect(await freshAnswer(ask, how)).toBeUndefined();
  expect(asked()).toBe(3);
});
