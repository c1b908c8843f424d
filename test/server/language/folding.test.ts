import { expect, test } from 'vitest';
import { foldsOfTasks, foldsOfTree } from '../../../server/language/folding.ts';
import { readTree } from '../../../server/language/yaml/read-tree.ts';
import { Positions } from '../../../server/plans/positions.ts';
import { planOfFiles } from '../../support/plans-of-folder.ts';

/** The lines of all folds that span some: `first-last`, with `#` for comments. */
function check(name: string, lines: readonly string[], expected: string): void {
  for (const ending of ['\n', '\r\n'])
    test(`${name}, with ${JSON.stringify(ending)}`, () => {
      const text = lines.join(ending);
      const positions = new Positions(text);
      const shown = foldsOfTree(readTree(text)).flatMap(({ start, end, isComment }) => {
        const [first, last] = [positions.at(start).line, positions.at(end).line];
        return first === last ? [] : `${first}-${last}${isComment ? '#' : ''}`;
      });
      expect(shown.join(' ')).toBe(expected);
    });
}

check(
  'sections and tasks',
  ['name: x', 'limits:', '  db: 1', '', 'tasks:', '  a:', '    run: x', '  b:', '    run: y', ''],
  '1-2 4-8 5-6 7-8',
);
check(
  'empty lines and comments behind a task are not of it',
  ['tasks:', '  a:', '    run: x', '', '  # of b', '  b:', '    run: y', '', ''],
  '0-6 1-2 5-6',
);
check(
  'texts',
  ['tasks:', '  a:', '    run: |', '      x', '', '      y', '', '    title: z'],
  '0-7 1-7 2-5',
);
check(
  'lists',
  ['tasks:', '  a:', '    writes:', '      - x', '      - y', '    reads: [x,', '      y]'],
  '0-6 1-6 2-4 5-6',
);
check('braces', ['tasks:', '  a: {', '    run: x', '  }', '  b: { run: y }'], '0-4 1-3');
check('runs of comments', ['# a', '# b', '', '# c', 'name: x # d', '# e', '  # f'], '0-1# 5-6#');
check('"#" below "|" is no comment', ['a: |', '  # x', '  # y', 'b: 1'], '0-2');
check('half-typed', ['tasks:', '  a:', '    run: x', '    dep', '  b: { run: [x'], '0-4 1-3');
check('no text', [], '');

test('a task in a file that is no plan folds to its last line', () => {
  const text = '---\ntasks:\n  1:\n    title: x\n\n';
  const plan = planOfFiles('kanban', { 'config.yml': '', '1.md': text.slice(4) });
  expect(foldsOfTasks(plan, '1.md')).toEqual([{ start: 9, end: 24, isComment: false, depth: 0 }]);
  expect(foldsOfTasks(plan, 'config.yml')).toEqual([]);
});
