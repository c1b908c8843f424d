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
  const { include, exclude } = parsePathSet(['/etc', '!..', 'a', '!b', 'c']).under({
    foldCase: false,
  });
  expect([include.length, exclude.length]).toStrictEqual([2, 1]);
});

test('a set is empty where it includes nothing', () => {
  const lists = [[], ['!a'], ['/etc'], ['a', '!a']];
  expect(lists.map((list) => parsePathSet(list).isEmpty)).toStrictEqual([true, true, true, false]);
});

/** Two lists, with ` & ` between them. */
function checkWithin(lists: string, isExpected: boolean): void {
  test(`${lists}: the first is ${isExpected ? '' : 'not seen to be '}within the second`, () => {
    const [inner = '', outer = ''] = lists.split(' & ');
    const within = parsePathSet(inner.split(' ')).isWithin(parsePathSet(outer.split(' ')));
    expect(within).toBe(isExpected);
  });
}

checkWithin('a & a', true);
checkWithin('a/b & a/**', true);
checkWithin('a & a/**', true);
checkWithin('a/** & a', true);
checkWithin('a/** & a.ts', false);
checkWithin('a.d/b & a.d', true);
checkWithin('ab & a', false);
checkWithin('a/*.ts & a/*', true);
checkWithin('a/* & a/*.ts', false);
checkWithin('a/*.test.ts & **/*.ts', true);
checkWithin('a/**/b & a/**', true);
checkWithin('a/**/b & a/*/b', false);
checkWithin('a/x/**/y/b.ts & a/**/y/*', true);
checkWithin('a/x/**/y/b & a/**/y/*', false);
checkWithin('{a,b}/x & a/** b/x', true);
checkWithin('{a,c}/x & a/** b/x', false);
checkWithin('a*b & a*', true);
checkWithin('a* & a*b', false);
checkWithin('[ab]x & [ab]x', true);
checkWithin('a/[x] & a/x', true);

test('a set says where its paths begin, what it includes, and whether it has a path', () => {
  const set = parsePathSet(['src/api/*.ts', 'docs/**', '**/x', '{a,b}/c', '!docs/x'], 'top');
  expect(set.starts).toStrictEqual(['top/src/api', 'top/docs', 'top', 'top/a/c', 'top/b/c']);
  expect(set.text).toBe('top/src/api/*.ts\ntop/docs/**/\ntop/**/x/**/\ntop/a/c/**/\ntop/b/c/**/');
  const paths = ['top/src/api/a.ts', 'top/docs', 'top/docs/x', 'top/x', 'x', 'top/A/c', 'top/b/c'];
  const has = (foldCase: boolean): readonly string[] =>
    paths.filter((path) => set.has(path, { foldCase }));
  expect(has(false)).toStrictEqual(['top/src/api/a.ts', 'top/docs', 'top/x', 'top/b/c']);
  expect(has(true)).toStrictEqual([...has(false).slice(0, 3), 'top/A/c', 'top/b/c']);
});
