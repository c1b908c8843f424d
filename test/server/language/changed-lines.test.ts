import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { atMost, changedLines } from '../../../server/language/changed-lines.ts';
import { linesOf, TextLines } from '../../../server/language/text-lines.ts';

/** `1-3` are the second and third line; `2-2` says that something went away before the third. */
function check(before: string, now: string, expected: string): void {
  test(`"${before}" to "${now}" changes ${expected || 'nothing'}`, () => {
    const ranges = changedLines(before.split(''), now.split(''));
    expect(ranges.map(({ start, end }) => `${start}-${end}`).join(' ')).toBe(expected);
  });
}

check('abc', 'abc', '');
check('abc', 'aXc', '1-2');
check('abc', 'aXYc', '1-3');
check('abc', 'abXc', '2-3');
check('abc', 'ac', '1-1');
check('abc', 'ab', '2-2');
check('abc', '', '0-0');
check('', 'ab', '0-2');
check('abcdefg', 'aXcdeYg', '1-2 5-6');
check('abcdefg', 'acdeYfg', '1-1 4-5');
check('aab', 'ab', '1-1');
check('abcd', 'aXYZd', '1-4');
check('abcabba', 'cbabac', '0-0 1-2 4-4 5-6');

const LINES = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 14 });

test('as many lines are put in or taken out as the shortest of all ways needs', () => {
  fc.assert(
    fc.property(LINES, LINES, (before, now) => {
      const ranges = changedLines(before, now);
      const kept = now.filter((_, line) => !ranges.some((r) => r.start <= line && line < r.end));
      expect(isPartOf(kept, before)).toBe(true);
      expect(kept).toHaveLength(longestCommon(before, now));
      // Each range is apart from the next, and something went away where it is empty.
      expect(ranges.slice(1).every(({ start }, index) => ranges[index]!.end < start)).toBe(true);
    }),
    { numRuns: 3000 },
  );
});

test('after whatever edits, the lines are those of the text', () => {
  const text = fc.array(fc.constantFrom('a', 'b', '\n', '\r\n', 'ü', '😀'), { maxLength: 20 });
  const edit = fc.record({ start: fc.nat(), end: fc.nat(), text });
  fc.assert(
    fc.property(text, fc.array(edit, { maxLength: 12 }), (first, edits) => {
      let whole = first.join('').replaceAll('\r\n', '\n');
      const lines = new TextLines(linesOf(whole));
      for (const each of edits) {
        const [a, b] = [each.start % (whole.length + 1), each.end % (whole.length + 1)];
        const [start, end] = [Math.min(a, b), Math.max(a, b)];
        const fresh = each.text.join('');
        lines.edit({
          range: { start: positionIn(whole, start), end: positionIn(whole, end) },
          text: fresh,
        });
        whole = whole.slice(0, start) + fresh.replaceAll('\r\n', '\n') + whole.slice(end);
        expect(lines.all).toEqual(linesOf(whole));
      }
    }),
    { numRuns: 1000 },
  );
});

test('whoever undoes all edits has changed nothing, and whoever makes one has changed its line', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(text, fc.nat(), fc.nat(), (saved, first, second) => {
      const lines = new TextLines(saved);
      const [one, other] = [first % saved.length, second % saved.length];
      const insert = (line: number): void =>
        lines.edit({ range: { start: place(line, 0), end: place(line, 0) }, text: 'X\n' });
      const remove = (line: number): void =>
        lines.edit({ range: { start: place(line, 0), end: place(line + 1, 0) }, text: '' });
      insert(one);
      expect(changedLines(saved, lines.all)).toEqual([{ start: one, end: one + 1 }]);
      insert(other);
      remove(one < other ? one : one + 1);
      remove(one < other ? other - 1 : other);
      expect(changedLines(saved, lines.all)).toEqual([]);
    }),
  );
});

test('a text with too many differences is changed from the first to the last of them', () => {
  const before = Array.from({ length: 1000 }, (_, line) => `old ${line}`);
  const now = ['same', ...before.map((line) => `new ${line}`), 'end'];
  expect(changedLines(['same', ...before, 'end'], now)).toEqual([{ start: 1, end: 1001 }]);
});

test('two edits far from each other in a long text are two lines', () => {
  const before = Array.from({ length: 20_000 }, (_, line) => `line ${line % 7}`);
  const now = [...before];
  now[10] = 'X';
  now[19_000] = 'Y';
  expect(changedLines(before, now)).toEqual([
    { start: 10, end: 11 },
    { start: 19_000, end: 19_001 },
  ]);
});

test('where there are more ranges than anybody reads the last one holds the rest', () => {
  const ranges = [0, 2, 4, 6].map((start) => ({ start, end: start + 1 }));
  expect(atMost(ranges, 4)).toEqual(ranges);
  expect(atMost(ranges, 2)).toEqual([
    { start: 0, end: 1 },
    { start: 2, end: 7 },
  ]);
});

function place(line: number, character: number): { line: number; character: number } {
  return { line, character };
}

function positionIn(text: string, offset: number): { line: number; character: number } {
  const before = text.slice(0, offset).split('\n');
  return place(before.length - 1, before.at(-1)?.length ?? 0);
}

function isPartOf(part: readonly string[], whole: readonly string[]): boolean {
  let found = 0;
  for (const line of whole) if (line === part[found]) found += 1;
  return found === part.length;
}

function longestCommon(a: readonly string[], b: readonly string[]): number {
  const longest = Array.from({ length: a.length + 1 }, () =>
    Array.from({ length: b.length + 1 }, () => 0),
  );
  for (let i = 1; i <= a.length; i += 1)
    for (let j = 1; j <= b.length; j += 1)
      longest[i]![j] =
        a[i - 1] === b[j - 1]
          ? longest[i - 1]![j - 1]! + 1
          : Math.max(longest[i - 1]![j]!, longest[i]![j - 1]!);
  return longest[a.length]![b.length]!;
}
