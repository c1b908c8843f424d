import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { overlap } from '../../../../server/domain/paths/overlap.ts';
import { PathIndex } from '../../../../server/domain/paths/path-index.ts';
import { exactPath, parsePathSet, type PathSet } from '../../../../server/domain/paths/path-set.ts';
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
      const any = index.anyOverlap(paths, () => true)?.owner;
      expect(any === undefined ? found.length === 0 : found.includes(any)).toBe(true);
    }
  });
}

check('a path is found at its place only', 'a/b.c & a/d & a/b.d', {
  'a/b.c': '0',
  'a/d': '1',
  b: '',
});
check('a folder needs no slash', 'a/b & a & a/b/c & a/d.ts', {
  'a/b/c/d.ts': '0 1 2',
  a: '0 1 2 3',
  'a/b': '0 1 2',
  'a/d.ts': '1 3',
  '**/*.md': '0 1 2',
  b: '',
});
check(
  'a file with what is below is found by who names it as a folder',
  'a/v1.2 & a/v1.2/b.ts & a/*',
  {
    'a/v1.2/b.ts': '0 1',
    'a/v1.2/c.ts': '0',
    'a/v1.2': '0 1 2',
    '**/v1.2': '0 1 2',
    '**/c.ts': '2',
    'a/v1.3/b.ts': '',
  },
);
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
  src: '0 1',
  'src?': '',
});
check('a folder whose name starts with wildcards is anywhere', '**/x & */y', {
  x: '0 1',
  'a/x': '0',
  'a/y?': '',
  'a/y': '0 1',
  '**': '0 1',
});
check('every alternative is looked at, and answered once', '{a,b}/x & b/{x,y}', {
  '{a,b,c}/*': '0 1',
  'b/x': '0 1',
  'a/x': '0',
});
check('an owner without paths overlaps nobody', '!a & a', { '**': '1', '!b': '' });
check('what is taken away is not found', 'a/** !a/b', { 'a/b': '', 'a/* !a/c': '0' });

check('what is taken away may be all of it', 'a/** !a/b/** & a/** !a/?', {
  'a/b/**': '1',
  'a/b': '1',
  'a/?': '0',
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
  expect(found('s/x')).toStrictEqual(['S: s/x', 'ſ: s/x']);
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
  expect(asked).toStrictEqual(['a/*']);
});

test('a question that takes too long is answered with "may overlap"', () => {
  const hard = `*a${'?'.repeat(9)}`;
  const index = new PathIndex<number>({ foldCase: false });
  for (const owner of [0, 1]) index.add(parsePathSet([hard]), owner);
  const kinds = index
    .overlaps(parsePathSet([`*`, `!${hard}*`]), () => true)
    .map(({ overlap: { kind } }) => kind);
  expect(kinds).toStrictEqual(['may-overlap', 'may-overlap']);
});

test('past the budget everybody who counts may overlap', { timeout: 2000 }, () => {
  const index = new PathIndex<number>({ foldCase: false });
  for (let n = 0; n < 200; n += 1) index.add(parsePathSet([`?${'a'.repeat(900)}${n}`]), n);
  index.add(parsePathSet(['docs']), 200);
  index.add(parsePathSet(['!docs']), 201);
  const asked = parsePathSet(Array.from({ length: 50 }, (_, n) => `*${'a'.repeat(450 + n)}[bc]*`));
  const found = index.overlaps(asked, (owner) => owner !== 7);
  const owners = Array.from({ length: 201 }, (_, n) => n).filter((n) => n !== 7);
  expect(found).toStrictEqual(owners.map((owner) => ({ owner, overlap: { kind: 'may-overlap' } })));
  expect(index.overlaps(asked, (owner) => owner !== 7)).toStrictEqual(found);
  expect(index.anyOverlap(asked, (owner) => owner === 8)?.owner).toBe(8);
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
  const budget = { stepsLeft: 200_000 };
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

test('who covers a path is who has it in a list', () => {
  const path = fc.constantFrom('a', 'b', 'ab', 'a/b', 'b/a', 'ab/a/b', 'a/A', 'aB/b', 'b/b/b/ab');
  fc.assert(
    fc.property(fc.array(list, { maxLength: 12 }), path, fc.boolean(), (lists, asked, foldCase) => {
      const index = new PathIndex<number>({ foldCase });
      for (const [number, patterns] of lists.entries()) index.add(parsePathSet(patterns), number);
      const covering = lists.flatMap((patterns, number) =>
        matchesFolded(patterns, asked, foldCase) ? [number] : [],
      );
      expect(index.covering(asked)).toStrictEqual(covering);
    }),
    { numRuns: 2000 },
  );
});

test('hundreds of names with wildcards in one folder are told apart, and go again', () => {
  const index = new PathIndex<string>({ foldCase: false });
  const lists = Array.from({ length: 300 }, (_, n) => [`**/*.x${n}.ts`, `*/y${n}*`, `z*${n}/**`]);
  const sets = lists.map((globs) => parsePathSet(globs));
  for (const [n, paths] of sets.entries()) index.add(paths, String(n));
  const found = (path: string): string => index.covering(path).join(' ');
  const asked = ['a/b.x7.ts', 'a/y12', 'a/y129', 'z-30/q', 'q/y1.x7.ts', '.x299.ts', 'y1'];
  expect(asked.map(found)).toStrictEqual(['7', '1 12', '1 12 129', '0 30', '1 7', '299', '']);
  for (const [n, paths] of sets.entries()) if (n % 2 === 1) index.remove(paths, String(n));
  expect(asked.map(found)).toStrictEqual(['', '12', '12', '0 30', '', '', '']);
  for (const [n, paths] of sets.entries()) if (n % 2 === 0) index.remove(paths, String(n));
  expect([index.size, index.overlaps(parsePathSet(['**']), () => true)]).toStrictEqual([0, []]);
});

test('a long path is found by what names its start and its end', () => {
  const names = Array.from({ length: 60 }, (_, at) => `n${at}`);
  const path = names.join('/');
  const lists = [path, `n0/**/n59`, `**/n58/*`, `n0/n1/**`, `**/x`, `${path}/x`, `n1/**`, '**'];
  const index = new PathIndex<string>({ foldCase: false });
  for (const text of lists) index.add(parsePathSet([text]), text);
  expect(index.covering(path)).toStrictEqual([...lists.slice(0, 4), '**']);
  const met = index.overlaps(parsePathSet([`${path}/**`]), () => true);
  expect(met.map(({ owner }) => owner)).toStrictEqual([...lists.slice(0, 6), '**']);
});

function matchesFolded(patterns: readonly string[], path: string, foldCase: boolean): boolean {
  if (!foldCase) return matchesList(patterns, path);
  return matchesList(
    patterns.map((text) => text.toLowerCase()),
    path.toLowerCase(),
  );
}
