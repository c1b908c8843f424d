import { expect, test } from 'vitest';
import { OutputPace } from '../../../server/board/output-pace.ts';

const MIB = 1024 * 1024;

test('as much as one log has comes at once, and what is more comes slowly', () => {
  const pace = new OutputPace();
  expect(pace.delayAfter(10 * MIB, 1000)).toBe(0);
  expect(pace.delayAfter(2 * MIB, 1000)).toBe(0);
  expect(pace.delayAfter(MIB, 1000)).toBe(256);
  expect(pace.delayAfter(MIB, 1256)).toBe(256);
});

test('after a rest there is room for a whole log again, and no more', () => {
  const pace = new OutputPace();
  expect(pace.delayAfter(12 * MIB, 1000)).toBe(0);
  expect(pace.delayAfter(12 * MIB, 100_000)).toBe(0);
  expect(pace.delayAfter(MIB, 100_000)).toBe(256);
});
