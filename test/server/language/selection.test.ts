import { expect, test } from 'vitest';
import { selectionsIn, selectionsInTask } from '../../../server/language/selection.ts';
import { readTree } from '../../../server/language/yaml/read-tree.ts';
import { readCursor } from '../../support/marked-text.ts';
import { planOfFiles } from '../../support/plans-of-folder.ts';

/** What is selected step by step from the `¦`. */
function check(name: string, marked: string, expected: readonly string[]): void {
  test(name, () => {
    const { text, offset } = readCursor(marked);
    const spans = selectionsIn(readTree(text), offset);
    expect(spans.map(({ start, end }) => text.slice(start, end))).toEqual(expected);
  });
}

const TASK = 'a:\n    run: npm test\n    title: y';
check('from a word of a value', `x: 1\ntasks:\n  a:\n    run: npm te¦st\n    title: y\n`, [
  'test',
  'npm test',
  'run: npm test',
  'run: npm test\n    title: y',
  TASK,
  `tasks:\n  ${TASK}`,
  `x: 1\ntasks:\n  ${TASK}`,
  `x: 1\ntasks:\n  ${TASK}\n`,
]);
check('from a key', `a¦b: c`, ['ab', 'ab: c']);
check('from quotes', `a: "b¦ c"`, ['b', 'b c', '"b c"', 'a: "b c"']);
check('from an item', `a: [b, c¦]`, ['c', '[b, c]', 'a: [b, c]']);
check('from an item below a dash', `a:\n  - b¦\n  - c`, [
  'b',
  '- b',
  '- b\n  - c',
  'a:\n  - b\n  - c',
]);
check('from a pair in braces', `a: { b: c¦ }`, ['c', 'b: c', '{ b: c }', 'a: { b: c }']);
check('from a text below "|"', `a: |\n  x y¦\nb: 1`, [
  'y',
  '|\n  x y',
  'a: |\n  x y',
  'a: |\n  x y\nb: 1',
]);
check('from a comment', `a: 1 # x ¦y\n`, ['y', '# x y', 'a: 1 # x y\n']);
check('from an empty line', `a: 1\n¦\n`, ['a: 1\n\n']);
check('from nothing', `¦`, ['']);

test('in a file that is no plan', () => {
  const text = 'tasks:\n  1:\n    title: x y\n\n';
  const plan = planOfFiles('kanban', { '1.md': text });
  const spans = selectionsInTask(plan, '1.md', text.indexOf('y'));
  expect(spans.map(({ start, end }) => text.slice(start, end))).toEqual([
    'y',
    '1:\n    title: x y',
    text,
  ]);
});
