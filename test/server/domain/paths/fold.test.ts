import { expect, test } from 'vitest';
import { foldText } from '../../../../server/domain/paths/fold.ts';
import { overlap, type PathRules } from '../../../../server/domain/paths/overlap.ts';
import { parsePathSet, renamedPaths } from '../../../../server/domain/paths/path-set.ts';

const COMPOSED = 'caf\u00e9';
const DECOMPOSED = 'cafe\u0301';

const BOTH: PathRules = { foldCase: true, foldUnicode: true };
const CASE: PathRules = { foldCase: true };
const ACCENTS: PathRules = { foldCase: false, foldUnicode: true };
const NONE: PathRules = { foldCase: false };

/** Two lists with ` & ` between them, and whether they overlap under each of the rules. */
function check(lists: string, expected: Readonly<Record<string, boolean>>): void {
  test(`${lists}: ${JSON.stringify(expected)}`, () => {
    const [a, b] = lists.split(' & ').map((list) => parsePathSet(list.split(' ')));
    const found = Object.entries({ none: NONE, case: CASE, accents: ACCENTS, both: BOTH })
      .filter(([name]) => name in expected)
      .map(([name, rules]) => [name, overlap(a!, b!, rules).kind === 'overlaps']);
    expect(Object.fromEntries(found)).toStrictEqual(expected);
  });
}

check(`${COMPOSED} & ${DECOMPOSED}`, { none: false, case: false, accents: true, both: true });
check(`${COMPOSED.toUpperCase()} & ${DECOMPOSED}`, { case: false, accents: false, both: true });
check(`${COMPOSED}/* & *${DECOMPOSED}/x`, { none: false, accents: true });
check(`caf? & ${DECOMPOSED}`, { none: false, accents: true });
check(`caf[\u00e9] & ${DECOMPOSED}`, { accents: true });
check(`caf[e\u0301] & ${COMPOSED}`, { none: false, accents: true });
check(`** !${COMPOSED}/** & ${DECOMPOSED}/x`, { none: true, accents: false });
// The capital has no form together with its accent, the small letter has one.
check('J\u030c* & \u01f0x', { none: false, case: false, accents: false, both: true });
check('[À-Ö] & ö', { none: false, case: true });
check('[!à-ö] & [À-Ö]', { none: true, case: false });
check('[@-Z] & [a-z]', { none: false, case: true });
check('[@-Z] & `', { none: false, case: false });
check('[\u0100-\u1000] & \u0101', { none: true, case: true });
check('[A-\u1000] & \u0101', { none: true, case: true });
check('straße & STRASSE', { case: false, both: false });

test('a folded text folds to itself, letter by letter', () => {
  const letters = Array.from({ length: 0x2_00_00 }, (_, code) => String.fromCodePoint(code));
  for (const rules of [CASE, ACCENTS, BOTH]) {
    const folded = letters.map((letter) => foldText(letter, rules));
    expect(folded.filter((letter) => foldText(letter, rules) !== letter)).toStrictEqual([]);
  }
});

test('both forms of a letter fold to one', () => {
  const pairs = ['ÄÄä', 'ΣΣσ', 'Σςσ', 'ſSs', 'KKk', 'ΩΩω', 'ıIi', '𐐀𐐀𐐨'].map((all) =>
    Array.from(all),
  );
  for (const all of pairs)
    expect(new Set(all.map((letter) => foldText(letter, CASE)))).toStrictEqual(new Set([all[2]]));
});

test('a rename touches the old name and the new one, and what is below them', () => {
  const renamed = renamedPaths({ from: 'src/[id]', to: 'lib/Id' });
  const met = [
    'src/[[]id]',
    'src/[[]id]/x',
    'lib/*',
    'lib/Id/**/x',
    'src/id',
    'src/*',
    'lib/Idx',
  ].filter((text) => overlap(renamed, parsePathSet([text]), NONE).kind === 'overlaps');
  expect(met).toStrictEqual(['src/[[]id]', 'src/[[]id]/x', 'lib/*', 'lib/Id/**/x', 'src/*']);
  expect(overlap(renamed, parsePathSet(['LIB/ID/x']), CASE).kind).toBe('overlaps');
});
