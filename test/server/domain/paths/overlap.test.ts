import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { overlap } from '../../../../server/domain/paths/overlap.ts';
import { parsePathSet, parsePattern } from '../../../../server/domain/paths/path-set.ts';
import { matchesList, pathsOf } from '../../../support/naive-glob.ts';

/** A path that both lists stand for, `none` or `maybe`. */
function sharedPath(a: readonly string[], b: readonly string[], foldCase: boolean): string {
  const found = overlap(parsePathSet(a), parsePathSet(b), { foldCase });
  if (found.kind === 'overlaps') return String(found.example);
  return found.kind === 'disjoint' ? 'none' : 'maybe';
}

/** Two lists, with ` & ` between them; an overlap is the same seen from both sides. */
function check(name: string, lists: string, expected: string): void {
  test(name, () => {
    const [a = '', b = ''] = lists.split(' & ');
    expect(sharedPath(a.split(' '), b.split(' '), false)).toBe(expected);
    expect(sharedPath(b.split(' '), a.split(' '), false)).toBe(expected);
  });
}

function checkFolded(name: string, lists: string, expected: string): void {
  test(name, () => {
    const [a = '', b = ''] = lists.split(' & ');
    expect(sharedPath(a.split(' '), b.split(' '), true)).toBe(expected);
  });
}

check('a path overlaps itself', 'src/a.ts & src/a.ts', 'src/a.ts');
check('two paths do not overlap', 'src/a.ts & src/b.ts', 'none');
check('case counts', 'a & A', 'none');
check('an empty list overlaps nothing', '!a & **', 'none');
check('a pattern that is refused stands for nothing', '/etc & **', 'none');

check('"*" stays in its folder', '* & a/b', 'none');
check('"*" may stand for nothing', 'a*b & ab', 'ab');
check('"*" from both sides meets in the middle', 'a* & *b', 'ab');
check('patterns overlap where no file exists', 'src/*.test.ts & src/api*', 'src/api.test.ts');
check('"?" is one character', '? & ab', 'none');
check('"?" is no slash', 'a?b & a/b', 'none');
check('a class is one of its characters', '[a-c]x & cx', 'cx');
check('a class is none of the others', '[a-c]x & dx', 'none');
check('a negated class is any other character', '[!a] & b', 'b');
check('a negated class is not its own', '[!a] & a', 'none');
check('a negated class is no slash', 'x[!a]y & x/y', 'none');
check('two negated classes meet in a third character', '[!a] & [!b]', 'c');
check('a class of characters before and after the slash is no slash', 'x[.-0]y & x/y', 'none');

check('"**" in front stands for no folder', '**/a & a', 'a');
check('"**" in front stands for folders', '**/a & x/y/a', 'x/y/a');
check('"**" in front ends at a whole name', '**/a? & xa?', 'none');
check('"**" in the middle stands for no folder', 'a/**/b & a/b', 'a/b');
check('"**" in the middle stands for folders', 'a/**/b & a/x/y/b', 'a/x/y/b');
check('"**" at the end stands for everything below', 'a/** & a/x/y', 'a/x/y');
check('"**" at the end stands for the folder itself', 'a/** & a', 'a');
check('"**" at the end does not reach beside the folder', 'a/** & ab', 'none');
check('"dir/" is everything below', 'dir/ & dir/x', 'dir/x');
check('"dir" is everything below', 'dir & dir/x.ts', 'dir/x.ts');
check('"dir" is the path itself', 'dir & dir', 'dir');
check('"dir" does not reach beside the folder', 'docs & docs2/x', 'none');
check(
  'a folder below a wildcard is everything below',
  'src/*/gen & src/a/gen/b/*.ts',
  'src/a/gen/b/.ts',
);
check(
  'a folder below any folders is everything below',
  '**/node_modules & a/node_modules/b.js',
  'a/node_modules/b.js',
);
check('"!dir" takes away everything below', 'docs/** !docs/api & docs/api/users.md', 'none');
check(
  'each of the alternatives is everything below',
  '{docs,src/api} & src/api/a.ts',
  'src/api/a.ts',
);
check('a wildcard looks into a folder', 'docs & **/*.md', 'docs/.md');
check('a wildcard does not look into a file', 'package.json & **/*.md', 'none');
check('files of two names do not overlap', '**/package.json & **/Cargo.toml', 'none');
check('a file is named as a folder', 'lib/v1.2 & lib/v1.2/a.md', 'lib/v1.2/a.md');
check('a file anywhere is named as a folder', '**/v1.2 & lib/v1.2/a.md', 'lib/v1.2/a.md');
check(
  'a file below a wildcard is named as a folder',
  'l[ia]b/v1.2 & l[io]b/v1.2/*.md',
  'lib/v1.2/.md',
);
check(
  'what is below a file that is a folder is taken away',
  'lib/** !lib/v1.2 & lib/v1.2/a.md',
  'none',
);
check('a folder next to a file of its name', 'lib/v1.2 & lib/v1.20/a.md', 'none');
check('"**" inside of a name stays in its folder', 'a** & a/b', 'none');
check('everything overlaps anything', '** & a/b', 'a/b');
check('any of the alternatives overlaps', '{a,b}/x & b/*', 'b/x');

check('"!" takes paths away', '** !src/** & src/a', 'none');
check('"!" counts for the list that it is in', 'a !b & b', 'none');
check('"!" counts wherever it stands', '!a a & a', 'none');
check('"!" of either list counts', 'src/* !src/a & src/[ab] !src/b', 'none');
check('"!" leaves the rest', 'src/* !src/a & src/[ab]', 'src/b');
check('the example is the shortest path that is left', 'a* !a & a*', 'aa');

checkFolded('case does not count where the file system ignores it', 'SRC/a & src/A', 'src/a');
checkFolded('a range of letters folds', '[A-C] & b', 'b');
checkFolded('a range of small letters folds', '[a-c] & B', 'b');
checkFolded('a negated class folds', '[!a] & A', 'none');
checkFolded('what is taken away folds', '** !SRC/** & src/a', 'none');
checkFolded('letters of other alphabets fold', 'Ä/Σ & ä/ς', 'ä/σ');
checkFolded('a letter without a small form of one character stays itself', 'ß & S', 'none');

check(
  'long rows of "?" are told apart',
  `*a${'?'.repeat(99)}[bd] & *a${'?'.repeat(99)}[ce]`,
  'none',
);

/** Nothing is left of it; but to see that takes twice as long with each letter. */
function hard(letters: number): string {
  return `*a${'?'.repeat(letters)} !*a${'?'.repeat(letters)}*`;
}

check('a question that takes long is answered', `${hard(6)} & *`, 'none');
check('a question that takes too long is answered with "maybe"', `${hard(14)} & *`, 'maybe');
check('what is too hard does not hide what is certain', `${hard(14)} b/** & * b/*`, 'b');
check(
  'without exceptions nothing is too hard',
  `${hard(14).replace(/ .*/, '')} & *b`,
  `a${'a'.repeat(13)}b`,
);

test('the hardest patterns are answered in time', { timeout: 5000 }, () => {
  const letters = Array.from({ length: 300 }, (_, index) =>
    String.fromCodePoint(0x4e_00 + 2 * index),
  );
  const [one, other] = [letters.slice(0, 150), letters.slice(150)];
  const [a, b] = [one, other].map((some) => `**/*${some.join('*')}*`);
  expect(sharedPath([a!], [b!], false)).toHaveLength(300);
  expect(sharedPath([`${a}[xz]`], [`${b}[yw]`], false)).toBe('none');
  expect(sharedPath([a!, `!${b}?*`, `!**/*${other.join('*')}`], [b!], false)).toBe('maybe');
});

const names = fc.array(fc.constantFrom('a', 'b', '*', '?', '[ab]', '[!a]', '{a,b}', '{a/b,}'), {
  minLength: 1,
  maxLength: 2,
});
const pattern = fc
  .tuple(
    fc.constantFrom('', '', '!'),
    fc.array(
      fc.oneof(
        fc.constant('**'),
        names.map((parts) => parts.join('')),
      ),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
    fc.constantFrom('', '', '', '/'),
  )
  .map(([sign, segments, end]) => `${sign}${segments.join('/')}${end}`)
  // A choice of nothing may leave nothing between two slashes, and that is refused.
  .filter((text) => parsePattern(text).kind === 'glob');
const list = fc.array(pattern, { minLength: 1, maxLength: 2 });
const SHORT_PATHS = pathsOf('ab/', 6);

test('an overlap is what matching every short path finds', () => {
  fc.assert(
    fc.property(list, list, (a, b) => {
      const found = overlap(parsePathSet(a), parsePathSet(b), { foldCase: false });
      const isShared = (path: string): boolean => matchesList(a, path) && matchesList(b, path);
      // "Maybe" is never wrong; about one pair in 60 000 of these is too hard to decide.
      const isRight =
        found.kind === 'overlaps'
          ? isShared(String(found.example))
          : found.kind === 'may-overlap' || !SHORT_PATHS.some(isShared);
      expect(isRight).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test('folding case finds no less, and does not depend on how the patterns are written', () => {
  fc.assert(
    fc.property(list, list, (a, b) => {
      const upper = a.map((text) => text.toUpperCase());
      const exact = sharedPath(a, b, false);
      expect(sharedPath(upper, b, true)).toBe(sharedPath(a, b, true));
      expect(exact === 'none' || sharedPath(upper, b, true) !== 'none').toBe(true);
    }),
    { numRuns: 500 },
  );
});
