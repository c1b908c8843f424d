import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Positions } from '../../../server/plans/positions.ts';

/** An offset as `line:character`. */
function check(name: string, text: string, offsets: Readonly<Record<number, string>>): void {
  test(name, () => {
    const positions = new Positions(text);
    const found = Object.keys(offsets).map((offset) => {
      const { line, character } = positions.at(Number(offset));
      return [offset, `${line}:${character}`];
    });
    expect(Object.fromEntries(found)).toStrictEqual(offsets);
  });
}

check('an empty text has one place', '', { 0: '0:0', 5: '0:0' });
check('a line ends with its line feed', 'a\nb', { 0: '0:0', 1: '0:1', 2: '1:0', 3: '1:1' });
check('there is no place in CRLF', 'a\r\nb', { 1: '0:1', 2: '0:1', 3: '1:0' });
check('a line may end with CR', 'a\rb\r\r\n', { 1: '0:1', 2: '1:0', 3: '1:1', 4: '2:0', 6: '3:0' });
check('empty lines count', '\n\n', { 0: '0:0', 1: '1:0', 2: '2:0' });
check('an offset behind the end is the end', 'a\nb', { 99: '1:1' });
check('characters count as UTF-16 units', '😀b', { 2: '0:2' });

test('an offset before the start is the start', () => {
  expect(new Positions('a').at(-1)).toStrictEqual({ line: 0, character: 0 });
});

test('a range has two places', () => {
  expect(new Positions('a\nb').range({ start: 0, end: 3 })).toStrictEqual({
    start: { line: 0, character: 0 },
    end: { line: 1, character: 1 },
  });
});

test('places of long texts are those of counting', () => {
  const lines = fc.array(
    fc.tuple(fc.constantFrom('', 'a', 'bc', '😀'), fc.constantFrom('\n', '\r\n', '\r')),
    { maxLength: 200 },
  );
  fc.assert(
    fc.property(fc.boolean(), lines, fc.array(fc.nat(600)), (hasReturns, written, offsets) => {
      const text = written.map(([line, end]) => line + (hasReturns ? end : '\n')).join('');
      const positions = new Positions(text);
      for (const asked of offsets) {
        const isInBreak = asked > 0 && text.slice(asked - 1, asked + 1) === '\r\n';
        const before = text.slice(0, isInBreak ? asked - 1 : asked);
        const above = before.split(/\r\n?|\n/);
        const place = { line: above.length - 1, character: above.at(-1)!.length };
        expect(positions.at(asked)).toStrictEqual(place);
        expect(positions.offset(place)).toBe(before.length);
        const end = positions.offset({ line: place.line, character: Infinity });
        expect(text.slice(before.length, end)).toBe(
          /^[^\r\n]*/.exec(text.slice(before.length))![0],
        );
        expect(positions.offset({ line: 201 + asked, character: 3 })).toBe(text.length);
      }
    }),
    { numRuns: 300 },
  );
});
