import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  afterRateLimit,
  coolDownUntil,
  isCooling,
  type CoolDown,
} from '../../../../server/domain/failure/cool-down.ts';
import { instant } from '../../../../server/domain/time.ts';

const NOW = instant(1_000_000_000);
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

function checkWait(
  name: string,
  limit: { readonly strikes: number; readonly retryAfterMs?: number },
  expectedMs: number,
): void {
  test(name, () => {
    expect(coolDownUntil(limit, NOW) - NOW).toBe(expectedMs);
  });
}

checkWait('the first wait is a minute', { strikes: 1 }, MINUTE);
checkWait('the second wait is twice as long', { strikes: 2 }, 2 * MINUTE);
checkWait('the fourth wait is 8 minutes', { strikes: 4 }, 8 * MINUTE);
checkWait('the fifth wait is the longest', { strikes: 5 }, 15 * MINUTE);
checkWait('no wait is longer', { strikes: 1_000_000 }, 15 * MINUTE);
checkWait('an agent waits for what it was told', { strikes: 9, retryAfterMs: 1500 }, 1500);
checkWait('a part of a millisecond does not count', { strikes: 1, retryAfterMs: 1999.5 }, 2000);
checkWait('whoever is told not to wait waits a second', { strikes: 1, retryAfterMs: 0 }, 1000);
checkWait('a time that has passed is a second', { strikes: 1, retryAfterMs: -5 }, 1000);
checkWait('what is no time is as if nothing was said', { strikes: 1, retryAfterMs: NaN }, 60_000);
checkWait('a day is waited for', { strikes: 1, retryAfterMs: DAY }, DAY);
checkWait('more than a day is not', { strikes: 1, retryAfterMs: DAY + 1 }, DAY);
checkWait('what never ends is a day', { strikes: 1, retryAfterMs: Infinity }, DAY);

/** The second strike, which ends so long after now. */
function endsIn(waitMs: number): CoolDown {
  return { until: instant(NOW + waitMs), strikes: 2 };
}

function checkStrike(
  name: string,
  {
    previous,
    ...limit
  }: { readonly previous: CoolDown | undefined; readonly retryAfterMs?: number },
  expected: { readonly strikes: number; readonly waitMs: number },
): void {
  test(name, () => {
    const { until, strikes } = afterRateLimit(previous, limit, NOW);
    expect({ strikes, waitMs: until - NOW }).toStrictEqual(expected);
  });
}

checkStrike('a first limit is one strike', { previous: undefined }, { strikes: 1, waitMs: MINUTE });
checkStrike(
  'a limit right after a cool-down is another strike',
  { previous: endsIn(0) },
  { strikes: 3, waitMs: 4 * MINUTE },
);
checkStrike(
  'a limit less than 10 minutes later is another strike',
  { previous: endsIn(1 - 10 * MINUTE) },
  { strikes: 3, waitMs: 4 * MINUTE },
);
checkStrike(
  'a limit 10 minutes later starts over',
  { previous: endsIn(-10 * MINUTE) },
  { strikes: 1, waitMs: MINUTE },
);
checkStrike(
  'a strike counts though the agent was told how long to wait',
  { previous: endsIn(0), retryAfterMs: 5 * SECOND },
  { strikes: 3, waitMs: 5 * SECOND },
);
checkStrike(
  'a limit while the agent cools is no further strike',
  { previous: endsIn(SECOND) },
  { strikes: 2, waitMs: 2 * MINUTE },
);
checkStrike(
  'a limit while the agent cools does not shorten the wait',
  { previous: endsIn(5 * MINUTE), retryAfterMs: SECOND },
  { strikes: 2, waitMs: 5 * MINUTE },
);

test('an agent cools until the time has come', () => {
  expect(isCooling(undefined, NOW)).toBe(false);
  expect(isCooling(endsIn(1), NOW)).toBe(true);
  expect(isCooling(endsIn(0), NOW)).toBe(false);
});

test('whatever agents report, a wait is at most a day and strikes grow one by one', () => {
  const report = fc.record({
    afterMs: fc.integer({ min: 0, max: DAY }),
    retryAfterMs: fc.option(fc.double({ noNaN: true }), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(report), (reports) => {
      let now = NOW;
      let current: CoolDown | undefined;
      for (const { afterMs, retryAfterMs } of reports) {
        now = instant(now + afterMs);
        const next = afterRateLimit(current, { retryAfterMs }, now);
        expect(next.until).toBeGreaterThanOrEqual(now);
        expect(next.until - now).toBeLessThanOrEqual(DAY);
        expect(next.strikes).toBeGreaterThanOrEqual(1);
        expect(next.strikes).toBeLessThanOrEqual((current?.strikes ?? 0) + 1);
        current = next;
      }
    }),
  );
});
