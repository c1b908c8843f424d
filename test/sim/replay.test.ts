import { expect, test } from 'vitest';
import { simulate } from './simulate.ts';

/** Of what nobody reads there is no hash. */
const SILENT = { print: (): void => {} };

test.each([1, 77, 4096])('seed %i lives through the same world twice', async (seed) => {
  const lines: string[] = [];
  const once = await simulate(seed, { print: (line) => void lines.push(line) });
  const again = await simulate(seed, SILENT);
  expect(lines.length).toBeGreaterThan(10);
  expect(again).toEqual(once);
});

test('another seed lives through another world', async () => {
  const [one, other] = [await simulate(2, SILENT), await simulate(3, SILENT)];
  expect(one.hash).not.toBe(other.hash);
});
