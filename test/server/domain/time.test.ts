import { expect, test } from 'vitest';
import { formatDuration, instant } from '../../../server/domain/time.ts';

test.for([
  [0, '0 ms'],
  [999, '999 ms'],
  [1000, '1.0 s'],
  [9949, '9.9 s'],
  [10_000, '10 s'],
  [59_400, '59 s'],
  [59_600, '59 s'],
  [185_000, '3 min 5 s'],
  [3_599_600, '59 min 59 s'],
  [7_800_000, '2 h 10 min'],
] as const)('%i ms read as %j', ([durationMs, expected]) => {
  expect(formatDuration(durationMs)).toBe(expected);
});

test.for([0.5, Number.NaN, Infinity, 2 ** 53])('%d is no instant', (milliseconds) => {
  expect(() => instant(milliseconds)).toThrow('Broken rule: an instant is a whole number');
});

test('a whole number of milliseconds is an instant', () => {
  expect(instant(1000)).toBe(1000);
});
