import { expect, test } from 'vitest';
import { fuzzFrames } from '../../support/fuzz/frame-fuzz.ts';

test('73: 60 000 spoilt streams break neither the decoder nor a whole peer', async () => {
  const totals = await fuzzFrames({ seed: 1, count: 60_000 });
  expect(totals.inputs).toBe(60_000);
  // It went to all the places where something may break.
  expect([...totals.violations.keys()].toSorted()).toEqual([
    'empty',
    'not-json',
    'not-utf8',
    'too-deep',
    'too-long',
    'too-slow',
    'truncated',
  ]);
  expect([...totals.endings.keys()].toSorted((one, two) => one - two)).toEqual([
    -32_700, -32_602, -32_002, -32_001, 0,
  ]);
  expect(totals.frames).toBeGreaterThan(100_000);
  expect(totals.joined).toBeGreaterThan(20_000);
  expect(totals.requests).toBeGreaterThan(15_000);
}, 60_000);
