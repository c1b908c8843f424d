import { expect, test } from 'vitest';
import { fuzzLedger } from '../support/fuzz/ledger-fuzz.ts';
import { fuzzResults } from '../support/fuzz/result-fuzz.ts';

const seed = Date.now() % 1_000_003;

test(`a thousand stories that cannot be are refused where they cannot (seed ${seed})`, () => {
  const totals = fuzzLedger({ seed, count: 1000 });
  expect(totals.inputs).toBe(1000);
  expect(totals.recorded).toBeGreaterThan(5000);
  expect(totals.refused).toBeGreaterThan(500);
  expect(totals.refusedWhole).toBeGreaterThan(10);
});

test(`nothing that lies among the results is taken for a success (seed ${seed})`, async () => {
  const { inputs, sights } = await fuzzResults({ seed, count: 300 });
  expect(inputs).toBe(300);
  // It went to all the places where something may break.
  expect([...sights.keys()]).toEqual(
    expect.arrayContaining(['gone', 'failed', 'succeeded', 'never-started']),
  );
});
