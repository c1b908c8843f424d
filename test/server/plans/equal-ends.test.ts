import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { equalEnds } from '../../../server/plans/equal-ends.ts';

function check(name: string, [a, b]: readonly [string, string], expected: readonly number[]): void {
  test(name, () => {
    const { start, end } = equalEnds(a, b);
    expect([start, end]).toStrictEqual(expected);
  });
}

check('a letter in the middle is between the ends', ['ab', 'axb'], [1, 1]);
check('the same text has no end left', ['abc', 'abc'], [3, 0]);
check('no letter is at both ends', ['aa', 'aaa'], [2, 0]);
check('nothing has no ends', ['', 'abc'], [0, 0]);

test('what is between the ends is what was replaced, or less', () => {
  const part = fc.string({ maxLength: 2000, unit: fc.constantFrom('a', 'b', '\n') });
  fc.assert(
    fc.property(fc.tuple(part, part, part, part), ([start, removed, added, end]) => {
      const [a, b] = [start + removed + end, start + added + end];
      const ends = equalEnds(a, b);
      expect(a.slice(0, ends.start)).toBe(b.slice(0, ends.start));
      expect(a.slice(a.length - ends.end)).toBe(b.slice(b.length - ends.end));
      expect(ends.start + ends.end).toBeLessThanOrEqual(Math.min(a.length, b.length));
      expect(ends.start).toBeGreaterThanOrEqual(start.length);
      expect(ends.start + ends.end).toBeGreaterThanOrEqual(start.length + end.length);
    }),
  );
});
