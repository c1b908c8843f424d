import { expect, test } from 'vitest';
import { ticksOf } from '../../picture/ticks.ts';

function check(name: string, milliseconds: number, labels: string): void {
  test(name, () => {
    const ticks = ticksOf({ from: 1000, to: 1000 + milliseconds }, { origin: 1000, most: 5 });
    expect(ticks.map(({ label }) => label).join(' | ')).toBe(labels);
  });
}

check('milliseconds', 9, '0 | 2 ms | 4 ms | 6 ms | 8 ms');
check('parts of a second', 2100, '0 | 500 ms | 1.0 s | 1.5 s | 2.0 s');
check('seconds', 20_000, '0 | 5 s | 10 s | 15 s | 20 s');
check('minutes and seconds', 130_000, '0 | 30 s | 1:00 | 1:30 | 2:00');
check('minutes', 4_000_000, '0 | 15 min | 30 min | 45 min | 1:00:00');
check('days', 400_000_000, '0 | 24 h | 48 h | 72 h | 96 h');

test('lines stay at round times when only a part is seen', () => {
  const ticks = ticksOf({ from: 61_500, to: 63_600 }, { origin: 0, most: 4 });
  expect(ticks.map(({ label }) => label)).toEqual(['1:02', '1:03']);
});

test('however much time there is, there are no more lines than fit', () => {
  for (const length of [1, 17, 999, 12_345, 3_600_000, 1e9, 1e12])
    expect(ticksOf({ from: 0, to: length }, { origin: 0, most: 8 }).length).toBeLessThanOrEqual(9);
});
