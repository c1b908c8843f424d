import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { overlap } from '../../../../server/domain/paths/overlap.ts';
import { exactPath, parsePathSet, parsePattern } from '../../../../server/domain/paths/path-set.ts';
import { fuzzOverlaps } from '../../../support/fuzz/overlap-fuzz.ts';
import { GlobLanguage, picomatches } from '../../../support/glob-oracle.ts';

/** Two lists, with ` & ` between them, and a shortest path of both. */
const TRICKY: Readonly<Record<string, string>> = {
  'src/** & src': 'src',
  'src/**/* & src': 'src/a',
  'src/**/* & src?': 'none',
  'docs & docs/guide.md': 'docs/guide.md',
  'src/*/gen & src/a/*/b.ts': 'src/a/gen/b.ts',
  '*.md & docs': 'none',
  '{docs,a.b}/c & docs': 'docs/c',
  'docs/** !docs/api & docs/api/*': 'none',
  'src/** & srcs/a': 'none',
  '**/a & a': 'a',
  'a/**/b & a/b': 'a/b',
  'a/**/b & a/xb': 'a/xb/b',
  'a/**/b & a/xb?': 'none',
  '*/** & a': 'a',
  '*/* & **/a': 'a/a',
  'a/*/c & a/b/*': 'a/b/c',
  '**/*.ts & src/**': 'src/.ts',
  '*.ts & *.tsx': 'none',
  '*.test.* & *.ts': '.test.ts',
  'a*b & *c*': 'acb',
  'ab*ba & aba': 'none',
  'ab*ba & ab?a': 'abba',
  '*ab* & *ba*': 'aba',
  'a?c & a[!b]c': 'aac',
  '[a-c][x-z] & [c-e][z-~]': 'cz',
  '[!a-y] & ?': 'z',
  '[]a] & ]': ']',
  '[[]id] & [[]*': '[id]',
  '{a,b}/{c,d} & b/**': 'b/c',
  '{a,b}/{c,d} & {b,c}/{a,d}': 'b/d',
  '{a/b,c}/x & a/*/x': 'a/b/x',
  '** !src/** & src/a/b': 'none',
  'src/** !src/** & **': 'none',
  'src/** !src/**/* & **': 'src',
  'src/** !src & src': 'none',
  'src/* !src/*.ts & src/*.ts': 'none',
  'src/* !src/*.ts & src/*.t?': 'src/.ta',
  '** !**/*.ts !**/*.js & src/*.?s': 'src/.as',
  '** !*/** & a/**': 'none',
  'a/** !a/*/c & a/b/** !a/b': 'none',
  'a/** !a/*/c & a/b/** !a/?': 'a/b/a',
  '**/x/** !**/x/y/** & a/x/y/z': 'none',
  '**/x/** !**/x/y/** & x/y/x/z': 'none',
  '** !**/x/y/** & x/*/y': 'x/a/y',
  '[a-z] ![a-y] & ?': 'z',
  'a* !a !aa & a*': 'ab',
  '?* !?? & ?? !a*': 'none',
  '{a,b,c} !{a,b} & {b,c}': 'c',
  '!a a b & *': 'b',
};

for (const [lists, expected] of Object.entries(TRICKY))
  test(`${lists}: ${expected}`, () => {
    const [a, b] = lists.split(' & ').map((list) => list.split(' '));
    expect(sharedPath(a!, b!)).toBe(expected);
    expect(sharedPath(b!, a!)).toBe(expected);
    const [one, other] = [new GlobLanguage(a!), new GlobLanguage(b!)];
    expect(one.meets(other)).toBe(expected !== 'none');
    expect(expected === 'none' || (one.has(expected) && other.has(expected))).toBe(true);
  });

function sharedPath(a: readonly string[], b: readonly string[]): string {
  const found = overlap(parsePathSet(a), parsePathSet(b), { foldCase: false });
  return found.kind === 'overlaps' ? String(found.example) : found.kind.replace('disjoint', 'none');
}

test('20 000 pairs are decided as the oracle decides them', { timeout: 60_000 }, () => {
  const totals = fuzzOverlaps({ seed: 1, count: 20_000 });
  expect(totals.undecided).toBe(0);
  expect(Math.min(totals.overlaps, totals.disjoint)).toBeGreaterThan(3000);
});

const part = fc.constantFrom('a', 'b', 'ab', '.c', '*', '?', '[ab]', '[!a]', '[a-c]', '{a,b}', '-');
const name = fc.oneof(
  fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
  fc.constant('**'),
);
const pattern = fc
  .array(name, { minLength: 1, maxLength: 4 })
  .map((names) => names.join('/'))
  // Of what is below a name with an extension another pattern has only what it names as a folder.
  .filter((text) => parsePattern(text).kind === 'glob' && !/[^/]\.[^/]*$/.test(text));
const pathName = fc
  .array(fc.constantFrom('a', 'b', 'c', '.c', '-'), { minLength: 1, maxLength: 4 })
  .map((letters) => letters.join(''));
const path = fc.array(pathName, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));

test('a pattern has the paths that it has for picomatch', { timeout: 30_000 }, () => {
  let matched = 0;
  fc.assert(
    fc.property(pattern, pattern, path, (one, other, asked) => {
      const expected = [one, other].map((text) => picomatches(text, asked));
      matched += expected.filter(Boolean).length;
      expect([one, other].map((text) => isOf(asked, text))).toStrictEqual(expected);
      // What is of both shows that they overlap, and what is said to be of both is.
      const shared = sharedPath([one], [other]);
      const isShared = shared !== 'none';
      expect(isShared || expected.includes(false)).toBe(true);
      const isOfBoth = [one, other].every((text) => picomatches(text, shared));
      expect(isOfBoth || !isShared).toBe(true);
    }),
    { numRuns: 5000 },
  );
  expect(matched).toBeGreaterThan(500);
});

function isOf(asked: string, text: string): boolean {
  const found = overlap(exactPath(asked), parsePathSet([text]), { foldCase: false });
  return found.kind === 'overlaps';
}
