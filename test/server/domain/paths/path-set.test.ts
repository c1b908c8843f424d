import { expect, test } from 'vitest';
import { parsePathSet, parsePattern } from '../../../../server/domain/paths/path-set.ts';

function checkPattern(name: string, text: string, expected: string): void {
  test(name, () => {
    const { kind, takesAway } = parsePattern(text);
    expect(`${takesAway ? 'takes away' : 'adds'} a ${kind}`).toBe(expected);
  });
}

checkPattern('a pattern adds paths', 'src/**', 'adds a glob');
checkPattern('a leading "!" takes paths away', '!src/**', 'takes away a glob');
checkPattern('a second "!" is a letter', '!!a', 'takes away a glob');
checkPattern('a "!" inside of a pattern is a letter', 'a!', 'adds a glob');
checkPattern('"!" alone is refused', '!', 'takes away a refused');
checkPattern('what is refused without "!" is refused with it', '!/etc', 'takes away a refused');

test('a set leaves out what cannot be read', () => {
  const set = parsePathSet(['/etc', '!..', 'a', '!b', 'c']);
  expect([set.include.length, set.exclude.length]).toStrictEqual([2, 1]);
});

/** The ends of each alternative, as `prefix…suffix`. */
function checkEnds(name: string, patterns: string, expected: readonly string[]): void {
  test(name, () => {
    const { ends } = parsePathSet(patterns.split(' '));
    expect(ends.map(({ prefix, suffix }) => `${prefix}…${suffix}`)).toStrictEqual(expected);
  });
}

checkEnds('both ends of a plain path are all of it', 'src/a.ts', ['src/a.ts…src/a.ts']);
checkEnds('an end stops at a wildcard', 'src/a*b/c src/?b src/[c]', [
  'src/a…b/c',
  'src/…b',
  'src/…',
]);
checkEnds('"**" stands for the folder before it too', 'src/**', ['src…']);
checkEnds('"**" may stand for no folder, so no "/" is certain behind it', '**/a a/**/b', [
  '…a',
  'a…b',
]);
checkEnds('every alternative has ends', 'src/{a,b*}', ['src/a…src/a', 'src/b…']);
checkEnds('what is taken away has none', 'a !a/b', ['a…a']);
