import { expect, test } from 'vitest';
import { eachSecond, elapsedText, runningText } from '../../client/time.ts';

for (const [ms, text] of [
  [-5, '0 s'],
  [7999, '7 s'],
  [60_000, '1 min 0 s'],
  [7_500_000, '2 h 5 min'],
] as const)
  test(`${ms} ms are ${text}`, () => {
    expect(elapsedText(ms)).toBe(text);
  });

test('what runs is equally old in every view, at whichever moment of a second it is drawn', () => {
  const since = 10_400;
  const drawn = (from: number): readonly string[] =>
    [0, 250, 999].map((ms) => runningText(since, from + ms));
  expect(drawn(13_000)).toEqual(['2 s', '2 s', '2 s']);
  expect(drawn(14_000)).toEqual(['3 s', '3 s', '3 s']);
  expect(runningText(since, 10_900)).toBe('0 s');
});

test('views are drawn again with each full second of the clock', () => {
  let now = 10_300;
  const delays: number[] = [];
  const acts: (() => void)[] = [];
  const after = (ms: number, act: () => void): Disposable => {
    delays.push(ms);
    acts.push(act);
    return { [Symbol.dispose]: () => {} };
  };
  let drawn = 0;
  eachSecond(
    () => now,
    () => (drawn += 1),
    { after },
  );
  now = 11_020;
  acts[0]?.();
  expect([drawn, delays]).toEqual([1, [700, 980]]);
});
