import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { overlap } from '../../../../server/domain/paths/overlap.ts';
import { PathIndex } from '../../../../server/domain/paths/path-index.ts';
import {
  exactPath,
  type Outline,
  parsePathSet,
  type PathSet,
} from '../../../../server/domain/paths/path-set.ts';
import { matchesList } from '../../../support/naive-glob.ts';

/** Lists with ` & ` between them are owned by `0`, `1` and so on; who of them overlaps `asked`? */
function check(name: string, owned: string, questions: Readonly<Record<string, string>>): void {
  test(name, () => {
    const index = new PathIndex<string>({ foldCase: false });
    for (const [number, list] of owned.split(' & ').entries())
      index.add(parsePathSet(list.split(' ')), String(number));
    for (const [asked, expected] of Object.entries(questions)) {
      const paths = parsePathSet(asked.split(' '));
      const found = index.overlaps(paths, () => true).map(({ owner }) => owner);
      expect(`${asked}: ${found.join(' ')}`).toBe(`${asked}: ${expected}`);
      expect(index.anyOverlap(paths, () => true)?.owner).toBe(found[0]);
    }
  });
}

check('a path is found at its place only', 'a/b & a & a/b/c', { 'a/b': '0', a: '1', b: '' });
check('a folder is found by what is below it', 'a/** & b/**', { 'a/b/c': '0', a: '0', c: '' });
check('what is below a folder is found by it', 'a/b & a/b/c & ab', { 'a/**': '0 1', 'ab/**': '2' });
check('a name that starts like another is another', 'm/1/** & m/10/**', { 'm/1/x': '0' });
check('a wildcard inside of a name is compared with the whole name', 'src/a* & src/b*/x', {
  'src/ab': '0',
  'src/ab/c': '',
  'src/a/**': '0',
  'src/*': '0',
  'src/*/**': '0 1',
  'src/ba/x': '1',
  'src/ab*': '0',
  'src/**': '0 1',
  src: '',
});
check('a folder whose name starts with wildcards is anywhere', '**/x & */y', {
  x: '0',
  'a/x': '0',
  'a/y': '1',
  '**': '0 1',
});
check('every alternative is looked at, and answered once', '{a,b}/x & b/{x,y}', {
  '{a,b,c}/*': '0 1',
  'b/x': '0 1',
  'a/x': '0',
});
check('an owner without paths overlaps nobody', '!a & a', { '**': '1', '!b': '' });
check('what is taken away is not found', 'a/** !a/b', { 'a/b': '', 'a/* !a/c': '0' });

check('what is taken away may be all of it', 'a/** !a/b/** & a/** !a/b', {
  'a/b/**': '1',
  'a/b': '',
  'a/b/c*': '1',
  'a/c/**': '0 1',
});

test('letters that fold to the same one need not be the same', () => {
  const index = new PathIndex<string>({ foldCase: true });
  for (const folder of ['S', 'ſ', 'K', '\u{212a}'])
    index.add(parsePathSet([`${folder}/**`]), folder);
  const found = (asked: string): readonly string[] =>
    index
      .overlaps(parsePathSet([asked]), () => true)
      .map(({ owner, overlap: shared }) =>
        shared.kind === 'overlaps' ? `${owner}: ${shared.example}` : owner,
      );
  expect(found('s/x')).toStrictEqual(['S: s/x', 'ſ: S/x']);
  expect(found('k/x')).toStrictEqual(['K: k/x', '\u{212a}: k/x']);
  expect(found('** !k/** !s/**')).toStrictEqual(found('** !K/** !S/**'));
});

test('a path that is owned exactly has no wildcards', () => {
  const index = new PathIndex<string>({ foldCase: false });
  index.add(exactPath('a/[b]*'), 'x');
  const answers = ['a/b', 'a/b*', 'a/[[]b]*', 'a/**'].map((asked) =>
    index.anyOverlap(parsePathSet([asked]), () => true),
  );
  const expected = { owner: 'x', overlap: { kind: 'overlaps', example: 'a/[b]*' } };
  expect(answers).toStrictEqual([undefined, undefined, expected, expected]);
});

test('an owner is there once for each set of paths', () => {
  const index = new PathIndex<string>({ foldCase: false });
  const [reads, writes] = [parsePathSet(['a']), parsePathSet(['*'])];
  index.add(reads, 'x');
  index.add(writes, 'x');
  expect([index.size, index.overlaps(reads, () => true).length]).toStrictEqual([2, 2]);
  index.remove(reads, 'x');
  expect([index.size, index.overlaps(reads, () => true).length]).toStrictEqual([1, 1]);
  expect(() => index.remove(reads, 'x')).toThrow('only paths that an owner was added with');
  index.remove(writes, 'x');
  expect(index.anyOverlap(reads, () => true)).toBeUndefined();
});

test('an owner is asked about before the patterns are compared, and only where they may meet', () => {
  const index = new PathIndex<string>({ foldCase: false });
  for (const list of ['a/*', 'b/*', 'a/*y', 'a/[!x]']) index.add(parsePathSet([list]), list);
  const asked: string[] = [];
  const found = index.anyOverlap(parsePathSet(['a/x']), (owner) => {
    asked.push(owner);
    return owner !== 'a/*';
  });
  expect(found).toBeUndefined();
  expect(asked).toStrictEqual(['a/*', 'a/[!x]']);
});

test('a question that takes too long is answered with "may overlap"', () => {
  const hard = `*a${'?'.repeat(16)}`;
  const index = new PathIndex<number>({ foldCase: false });
  for (const owner of [0, 1]) index.add(parsePathSet([`${hard}[bd]`]), owner);
  const kinds = index
    .overlaps(parsePathSet([`${hard}[ce]`]), () => true)
    .map(({ overlap: { kind } }) => kind);
  expect(kinds).toStrictEqual(['may-overlap', 'may-overlap']);
});

const name = fc.oneof(
  { arbitrary: fc.constantFrom('a', 'b'), weight: 3 },
  fc.constantFrom('a', 'b', 'ab', 'A', 'aB', 'b*'),
  fc.constantFrom('*', '?', 'a*', 'ab*', 'A?', '*b', '[ab]', '[!a]', 'a[b]', '{a,b}', '{a,ab/b}'),
);
const pattern = fc
  .tuple(
    fc.constantFrom('', '', '', '!'),
    fc.array(fc.oneof({ arbitrary: name, weight: 4 }, fc.constant('**')), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.constantFrom('', '', '/', '/**'),
  )
  .map(([sign, names, end]) => `${sign}${names.join('/')}${end}`);
const list = fc.array(pattern, { maxLength: 3 });

const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), list, owner: fc.nat(5) }),
  fc.record({ kind: fc.constant('add' as const), list, owner: fc.nat(5) }),
  fc.record({ kind: fc.constant('remove' as const), at: fc.nat(100) }),
  fc.record({ kind: fc.constant('ask' as const), list, refused: fc.nat(8) }),
);

interface Owned {
  readonly paths: PathSet;
  readonly owner: number;
}

/** What the index must answer: everybody is compared, one after the other. */
function compareAll(
  owned: readonly Owned[],
  paths: PathSet,
  foldCase: boolean,
): readonly { readonly owner: number; readonly overlap: unknown }[] {
  const budget = { stepsLeft: 1_000_000 };
  return owned.flatMap(({ owner, paths: other }) => {
    const found = overlap(paths, other, { foldCase, budget });
    return found.kind === 'disjoint' ? [] : [{ owner, overlap: found }];
  });
}

test('the index answers what comparing with everybody does', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30, size: 'max' }), fc.boolean(), (steps, foldCase) => {
      const index = new PathIndex<number>({ foldCase });
      const owned: Owned[] = [];
      for (const made of steps) {
        if (made.kind === 'add') {
          const added = { paths: parsePathSet(made.list), owner: made.owner };
          index.add(added.paths, added.owner);
          owned.push(added);
        } else if (made.kind === 'remove') {
          const [gone] = owned.splice(made.at % owned.length, 1);
          if (gone !== undefined) index.remove(gone.paths, gone.owner);
        }
        expect(index.size).toBe(owned.length);
        const paths = parsePathSet(made.kind === 'ask' ? made.list : ['**']);
        const counts = (owner: number): boolean => made.kind !== 'ask' || owner !== made.refused;
        const expected = compareAll(
          owned.filter(({ owner }) => counts(owner)),
          paths,
          foldCase,
        );
        expect(index.overlaps(paths, counts)).toStrictEqual(expected);
        const any = index.anyOverlap(paths, counts)?.owner;
        const owners = new Set(expected.map(({ owner }) => owner));
        expect(any === undefined ? owners.size === 0 : owners.has(any)).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

/** An outline that tells nothing, so that every comparison has to be searched. */
const UNKNOWN: Outline = {
  names: [],
  rest: 'names',
  front: [],
  length: 0,
  isDeep: true,
  ends: { prefix: '', suffix: '' },
  shortest: undefined,
};

function withoutOutlines(paths: PathSet): PathSet {
  const outlines = paths.outlines.map(() => UNKNOWN);
  return { ...paths, outlines, foldedOutlines: outlines };
}

test('what outlines tell is what the search finds', () => {
  fc.assert(
    fc.property(list, list, fc.boolean(), (one, other, foldCase) => {
      const [a, b] = [parsePathSet(one), parsePathSet(other)];
      const quick = overlap(a, b, { foldCase });
      const slow = overlap(withoutOutlines(a), withoutOutlines(b), { foldCase });
      // A search may give up where outlines know.
      const kind = slow.kind === 'may-overlap' ? quick.kind : slow.kind;
      expect(quick.kind).toBe(kind);
      expect(overlap(b, a, { foldCase })).toStrictEqual(quick);
      const example = quick.kind === 'overlaps' ? quick.example : undefined;
      const isShared = [one, other].every(
        (patterns) => example === undefined || matchesFolded(patterns, example, foldCase),
      );
      expect(isShared).toBe(true);
    }),
    { numRuns: 3000 },
  );
});

/** What is known of two lists, with ` & ` between them, when nothing may be searched. */
function checkTold(lists: string, expected: string): void {
  test(`outlines tell of ${lists}: ${expected}`, () => {
    const [one = '', other = ''] = lists.split(' & ');
    const [a, b] = [parsePathSet(one.split(' ')), parsePathSet(other.split(' '))];
    const found = overlap(a, b, { foldCase: false, budget: { stepsLeft: 0 } });
    expect(found.kind === 'overlaps' ? found.example : found.kind).toBe(expected);
    expect(overlap(b, a, { foldCase: false, budget: { stepsLeft: 0 } })).toStrictEqual(found);
  });
}

checkTold('a/b & a/b', 'a/b');
checkTold('a/** & a/*/c', 'a/a/c');
checkTold('a/1/** & a/10/**', 'disjoint');
checkTold('a/*/x & a/b/y*', 'disjoint');
checkTold('a & a*a', 'disjoint');
checkTold('a/** !a/b/** & a/b/*', 'disjoint');
checkTold('a/** !a/b/** & a/c/*', 'a/c/a');
checkTold('a/** !**/*.x & a/b/** !**/*.x', 'a/b');
checkTold('a/*b & a/b*', 'may-overlap');

/** Letters of which only some fold to each other, though all of them fold to one. */
const rareLetters: Readonly<Record<string, string>> = { a: 's', b: 'S', A: 'ſ', B: 'É' };

test('for one pattern each, outlines and search find the same path, in any letters', () => {
  const rare = pattern.map((text) => text.replaceAll(/[abAB]/g, (letter) => rareLetters[letter]!));
  const any = fc.oneof(rare, pattern).filter((text) => !/[{!]/.test(text));
  fc.assert(
    fc.property(any, any, fc.boolean(), (one, other, foldCase) => {
      const [a, b] = [parsePathSet([one]), parsePathSet([other])];
      const slow = overlap(withoutOutlines(a), withoutOutlines(b), { foldCase });
      fc.pre(slow.kind !== 'may-overlap');
      expect(overlap(a, b, { foldCase })).toStrictEqual(slow);
    }),
    { numRuns: 2000 },
  );
});

function matchesFolded(patterns: readonly string[], path: string, foldCase: boolean): boolean {
  if (!foldCase) return matchesList(patterns, path);
  return matchesList(
    patterns.map((text) => text.toLowerCase()),
    path.toLowerCase(),
  );
}
