import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactPattern } from '../../../../server/domain/paths/exact-pattern.ts';
import { overlap } from '../../../../server/domain/paths/overlap.ts';
import { exactPath, parsePathSet } from '../../../../server/domain/paths/path-set.ts';

const RULES = { foldCase: false };
const NAME = fc.string({
  unit: fc.constantFrom(...Array.from('ab*?[]{},!-^. ü😀')),
  minLength: 1,
  maxLength: 8,
});
const PATH = fc.array(NAME, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));

test('a pattern of one path has that path, what may be below it, and no other', () => {
  fc.assert(
    fc.property(PATH, PATH, (path, other) => {
      const pattern = exactPattern(path);
      if (pattern === undefined) return;
      const paths = parsePathSet([pattern]);
      expect(overlap(paths, exactPath(path), RULES).kind).toBe('overlaps');
      expect(overlap(paths, exactPath(other), RULES).kind).toBe(
        other === path || other.startsWith(`${path}/`) ? 'overlaps' : 'disjoint',
      );
    }),
    { numRuns: 5000 },
  );
});

test('names that look like patterns are said letter by letter', () => {
  expect(exactPattern('src/a.ts')).toBe('src/a.ts');
  expect(exactPattern('app/[id]/{x}.ts')).toBe('app/[[]id]/[{]x[}].ts');
  expect(exactPattern('!important/!')).toBe('{!}important/!');
});

test('what no plan can say has no pattern', () => {
  for (const path of ['', '../a', 'a//b', './a', 'a/', '/a', '~/a', 'C:a', 'a\\b', 'a\0', '..'])
    expect(exactPattern(path)).toBeUndefined();
  expect(exactPattern('a'.repeat(2000))).toBeUndefined();
});
