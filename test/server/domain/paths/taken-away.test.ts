import { expect, test } from 'vitest';
import { parsePathSet } from '../../../../server/domain/paths/path-set.ts';
import { type Pattern, patternText, sharedPath } from '../../../../server/domain/paths/pattern.ts';
import { pathLeft } from '../../../../server/domain/paths/taken-away.ts';
import { realisticList } from '../../../support/realistic-globs.ts';
import { Random } from '../../../sim/random.ts';

function patternsOf(list: readonly string[]): readonly Pattern[] {
  return parsePathSet(list).under({ foldCase: false }).include;
}

/** `a & b` without what is behind a ` - `. */
function check(text: string, expected: string): void {
  test(`${text}: ${expected}`, () => {
    const [shared = '', taken] = text.split(' - ');
    const [a, b] = shared.split(' & ').map((glob) => patternsOf([glob])[0]!);
    const question = { a: a!, b: b!, takenAway: patternsOf(taken?.split(' ') ?? []) };
    const found = pathLeft(question, { stepsLeft: 10_000 });
    expect(found.kind === 'path' ? found.path : found.kind).toBe(expected);
  });
}

check('** & **', 'a');
check('** & ** - *', 'a/a');
check('** & ** - **', 'none');
check('src/** & src/** - src', 'none');
check('s.d/** & s.d/** - s.d', 's.d/a');
check('src/** & src/** - src?', 'src');
check('src/* & src/* - src/? src/??', 'src/aaa');
check('src/*.ts & src/* - src/.*', 'src/a.ts');
check('*a* & *b* - ab ba', 'aab');
check('**/x & **/x - x a/x', 'b/x');
check('**/x & **/x - x */x', 'a/a/x');
check('[ab] & [bc] - b', 'none');
check(`*a${'?'.repeat(12)} & * - *a${'?'.repeat(12)}*`, 'too-hard');

test('where nothing is taken away, the search finds what is told without one', () => {
  const random = new Random(5);
  const tricky = ['*ab*', '*ba*', 'a?*', '[!a]*', '**/a*', '*/**', 'a/**/b', '?[ab]', '*a*a', '**'];
  const globs = [
    ...tricky,
    ...Array.from({ length: 40 }, () => realisticList(() => random.next())[0]!),
  ];
  const patterns = globs.flatMap((glob) => patternsOf([glob]));
  for (const a of patterns)
    for (const b of patterns) {
      const found = pathLeft({ a, b, takenAway: [] }, { stepsLeft: 100_000 });
      const path = found.kind === 'path' ? found.path : undefined;
      const name = `${patternText(a)} & ${patternText(b)}: `;
      expect(name + path).toBe(name + sharedPath(a, b));
    }
});
