import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  backoffMs,
  chanceOf,
  LOSS_LIMIT,
  mayRetry,
  NO_RETRY,
  type RetryPolicy,
} from '../../../../server/domain/failure/retry.ts';

const THRICE: RetryPolicy = { ...NO_RETRY, attempts: 3 };
const THRICE_ON_75: RetryPolicy = { ...THRICE, on: [75, 111] };

function checkRetry(
  name: string,
  policy: RetryPolicy,
  [failures, exitCode, expected]: readonly [number, number | undefined, boolean],
): void {
  test(name, () => {
    expect(mayRetry(policy, { failures, exitCode })).toBe(expected);
  });
}

checkRetry('a command runs once where nobody asks for more', NO_RETRY, [1, 1, false]);
checkRetry('a first failure of three attempts is retried', THRICE, [1, 1, true]);
checkRetry('a second failure of three attempts is retried', THRICE, [2, 1, true]);
checkRetry('a third failure of three attempts is not', THRICE, [3, 1, false]);
checkRetry('more failures than attempts are not retried', THRICE, [4, 1, false]);
checkRetry('a signal is a failure like every other', THRICE, [1, undefined, true]);
checkRetry('a listed exit code is retried', THRICE_ON_75, [1, 111, true]);
checkRetry('another exit code is not', THRICE_ON_75, [1, 1, false]);
checkRetry('a signal is on no list of exit codes', THRICE_ON_75, [1, undefined, false]);
checkRetry('a list of exit codes does not add attempts', THRICE_ON_75, [3, 75, false]);

test('the third loss needs a person', () => {
  expect(LOSS_LIMIT).toBe(3);
});

function checkWait(
  name: string,
  policy: Partial<RetryPolicy>,
  [n, expectedMs]: readonly [number, number],
): void {
  test(name, () => {
    const wait = backoffMs({ ...NO_RETRY, ...policy }, n, 'a');
    expect(Number.isSafeInteger(wait)).toBe(true);
    expect(wait).toBeGreaterThanOrEqual(Math.floor(expectedMs * 0.8));
    expect(wait).toBeLessThanOrEqual(Math.ceil(expectedMs * 1.2));
  });
}

checkWait('the first wait is the backoff', {}, [1, 100]);
checkWait('the second wait is twice as long', {}, [2, 200]);
checkWait('the ninth wait is below the longest', {}, [9, 25_600]);
checkWait('the tenth wait is the longest', {}, [10, 30_000]);
checkWait('a wait after a million others is the longest', {}, [1e6, 30_000]);
checkWait('a factor of one keeps the wait', { factor: 1 }, [1e6, 100]);
checkWait('a factor below one shortens it to nothing', { factor: 0.5 }, [1e6, 0]);
checkWait('no backoff is no wait, however often', { backoffMs: 0 }, [1e6, 0]);
checkWait('a longest wait below the backoff holds at once', { maxMs: 10 }, [1, 10]);

test('equal keys wait equally long, different keys do not', () => {
  const waits = ['a', 'a', 'b'].map((key) => backoffMs(NO_RETRY, 10, key));
  expect(waits[0]).toBe(waits[1]);
  expect(waits[0]).not.toBe(waits[2]);
});

test('waits use the whole range of the jitter, above the longest wait too', () => {
  const waits = Array.from({ length: 1000 }, (_, index) => backoffMs(NO_RETRY, 20, `t${index}`));
  expect(Math.min(...waits)).toBeLessThan(24_200);
  expect(Math.max(...waits)).toBeGreaterThan(35_800);
});

test('every wait is within a fifth of what the formula says', () => {
  const policies = fc.record({
    backoffMs: fc.nat(60_000),
    factor: fc.double({ min: 0, max: 1e6, noNaN: true }),
    maxMs: fc.nat(86_400_000),
  });
  fc.assert(
    fc.property(policies, fc.integer({ min: 1, max: 1e6 }), fc.string(), (policy, n, key) => {
      const { factor, maxMs } = policy;
      const grown = policy.backoffMs === 0 ? 0 : policy.backoffMs * factor ** (n - 1);
      const wait = backoffMs({ ...NO_RETRY, ...policy }, n, key);
      expect(Number.isSafeInteger(wait)).toBe(true);
      expect(Math.abs(wait - Math.min(grown, maxMs))).toBeLessThanOrEqual(
        Math.min(grown, maxMs) * 0.2 + 0.5,
      );
    }),
  );
});

test.for([0, -1, 1.5, Number.NaN])('there is no wait number %d', (n) => {
  expect(() => backoffMs(NO_RETRY, n, 'a')).toThrow('Broken rule: waits are counted from 1');
});

test.for([
  ['numbered', (index: number): string => `t${index}`],
  ['long', (index: number): string => `${'x'.repeat(200)}${index}`],
  ['foreign', (index: number): string => `задача ${index} 😀`],
] as const)('the chances of %s keys are spread evenly', ([, keyOf]) => {
  const deciles = Array.from({ length: 10 }, () => 0);
  for (let index = 0; index < 10_000; index++) {
    const decile = Math.floor(chanceOf(keyOf(index)) * 10);
    deciles[decile] = (deciles[decile] ?? 0) + 1;
  }
  expect(deciles).toHaveLength(10);
  expect(Math.min(...deciles)).toBeGreaterThan(880);
  expect(Math.max(...deciles)).toBeLessThan(1120);
});

test('a chance is below one and depends on the text alone', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (key) => {
      const chance = chanceOf(key);
      expect(chance).toBeGreaterThanOrEqual(0);
      expect(chance).toBeLessThan(1);
      expect(chanceOf(key.slice(0, 1) + key.slice(1))).toBe(chance);
    }),
  );
});

test('chances stay the same from release to release', () => {
  expect([chanceOf(''), chanceOf('a')].map((chance) => chance.toFixed(6))).toStrictEqual([
    '0.668922',
    '0.569975',
  ]);
});
