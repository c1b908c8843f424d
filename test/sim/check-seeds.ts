import { expect } from 'vitest';
import { explore } from './explore.ts';

const NO_LIMIT = { elapsedMs: () => 0, limitMs: Infinity };

/** Lives through the worlds of these seeds; the message says how to see what went wrong. */
export async function checkSeeds(first: number, last: number): Promise<void> {
  const { failures, seeds } = await explore({ first, last, step: 1 }, NO_LIMIT);
  const [failure] = failures;
  const how = failure && `${failure.message}\n  npm run sim -- --seed ${failure.seed} --trace`;
  expect(how).toBeUndefined();
  expect(seeds).toBe(last - first + 1);
}
