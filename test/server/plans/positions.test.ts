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
check('CRLF belongs to the line before it', 'a\r\nb', { 1: '0:1', 2: '0:2', 3: '1:0' });
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
