import { expect, test } from 'vitest';
import { analyzePlan } from '../../server/plans/analyze.ts';
import { parseInterlockYaml } from '../../server/plans/interlock-yaml.ts';
import type { TextRange } from '../../server/plans/plan.ts';
import { readMarks } from './marked-text.ts';

/** The problems of a plan in the order of the text, wide ones first: where each «» stands, and what is said there. */
export function checkProblems(
  name: string,
  marked: string,
  expected: readonly string[] | string,
): void {
  test(name, () => {
    const { text, ranges } = readMarks(marked);
    const { problems } = analyzePlan(parseInterlockYaml(text), { foldCase: false });
    const found = problems.toSorted((a, b) => inTextOrder(a.range, b.range));
    const said = found.map(({ severity, code, message }) => `${severity} ${code}: ${message}`);
    expect(said).toStrictEqual([expected].flat());
    expect(found.map(({ range }) => range)).toStrictEqual(ranges);
  });
}

/** The same for the keys of one task. */
export function checkTaskProblems(
  name: string,
  keys: string,
  expected: readonly string[] | string,
): void {
  checkProblems(name, `tasks:\n  a: { run: x, ${keys} }`, expected);
}

function inTextOrder(a: TextRange, b: TextRange): number {
  return a.start - b.start || b.end - a.end;
}
