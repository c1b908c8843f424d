import { expect, test } from 'vitest';
import { simulate } from './simulate.ts';

test.each([1, 77, 4096])('seed %i lives through the same world twice', (seed) => {
  const lines: string[] = [];
  const once = simulate(seed, (line) => lines.push(line));
  const again = simulate(seed, () => {});
  expect(lines.length).toBeGreaterThan(20);
  expect(again).toEqual(once);
});

test('another seed lives through another world', () => {
  const [one, other] = [2, 3].map((seed) => simulate(seed, () => {}).hash);
  expect(one).not.toBe(other);
});
