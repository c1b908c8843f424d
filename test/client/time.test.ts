import { expect, test } from 'vitest';
import { elapsedText } from '../../client/time.ts';

for (const [ms, text] of [
  [-5, '0 s'],
  [7999, '7 s'],
  [60_000, '1 min 0 s'],
  [7_500_000, '2 h 5 min'],
] as const)
  test(`${ms} ms are ${text}`, () => {
    expect(elapsedText(ms)).toBe(text);
  });
