import { expect, test } from 'vitest';
import { SystemClock } from '../../../server/system/clock.ts';

/** What the clock says while the system's clock reads these one after the other. */
function check(name: string, reads: readonly number[], expected: readonly number[]): void {
  test(name, () => {
    const left = [...reads];
    const clock = new SystemClock(() => left.shift() ?? 0);
    expect(reads.map(() => clock.now())).toStrictEqual(expected);
  });
}

check('the clock says what the system says', [10, 10, 25], [10, 10, 25]);
check('set forward, it goes on from there', [10, 5000, 5001], [10, 5000, 5001]);
check('set back, it goes on from where it was', [100, 40, 50, 70], [100, 100, 110, 130]);
check('set back twice, it still never goes back', [100, 40, 60, 10, 15], [100, 100, 120, 120, 125]);
check('set right again, it stays ahead', [100, 40, 101, 102], [100, 100, 161, 162]);

test('it reads the time of day', () => {
  expect(new SystemClock().now()).toBeGreaterThan(Date.UTC(2026, 0));
});
