import { expect, test } from 'vitest';
import { findTasks, type PlanSymbol, symbolsOf } from '../../../server/language/symbols.ts';
import { planOfFiles, plansOfFolder } from '../../support/plans-of-folder.ts';

function shown(symbols: readonly PlanSymbol[], text: string): readonly unknown[] {
  return symbols.map(({ kind, name, detail, range, nameRange, children }) => [
    `${kind} ${name}: ${detail}`,
    text.slice(range.start, range.end),
    text.slice(nameRange.start, nameRange.end),
    ...(children.length > 0 ? [shown(children, text)] : []),
  ]);
}

function check(name: string, text: string, expected: readonly unknown[]): void {
  test(name, () => {
    const { plans } = plansOfFolder({ 'web/interlock.yaml': text });
    expect(shown(symbolsOf(plans[0]!, 'web/interlock.yaml'), text)).toEqual(expected);
  });
}

const A_AND_B =
  'name: Shop\ntasks:\n  a:\n    title: The A\n    run: x\n\n  # b\n  b: { run: [y, z] }\n';
check('a plan and its tasks', A_AND_B, [
  [
    'plan Shop: web/interlock.yaml',
    A_AND_B,
    'name: Shop',
    [
      ['task a: The A', 'a:\n    title: The A\n    run: x', 'a'],
      ['task b: y z', 'b: { run: [y, z] }', 'b'],
    ],
  ],
]);

const LINES = 'tasks:\r\n  a:\r\n    run: |\r\n      first\r\n      second\r\n';
check('a command of several lines', LINES, [
  [
    'plan web: web/interlock.yaml',
    LINES,
    'tasks:',
    [['task a: first', 'a:\r\n    run: |\r\n      first\r\n      second', 'a']],
  ],
]);

check(
  'what could forge an outline',
  'name: "a\\u202Eb"\ntasks:\n  a: { title: "x\\ny", role: human }\n',
  [
    [
      'plan a b: web/interlock.yaml',
      'name: "a\\u202Eb"\ntasks:\n  a: { title: "x\\ny", role: human }\n',
      'name: "a\\u202Eb"',
      [['task a: x y', 'a: { title: "x\\ny", role: human }', 'a']],
    ],
  ],
);

check('no text', '', [['plan web: web/interlock.yaml', '', '']]);

test('in a file of its own a task stands alone', () => {
  const one = 'tasks:\n  1: { title: One }\n';
  const plan = planOfFiles('kanban', { 'board/config.yml': '', 'board/1.md': one });
  expect(shown(symbolsOf(plan, 'board/1.md'), one)).toEqual([
    ['task 1: One', '1: { title: One }', '1'],
  ]);
  expect(shown(symbolsOf(plan, 'board/config.yml'), '')).toEqual([
    ['plan board: board/config.yml', '', ''],
  ]);
});

function checkFound(query: string, expected: string, limit = 100): void {
  test(`tasks found by "${query}", ${limit} at most`, () => {
    const ids = ['build-api', 'api', 'Api-docs', 'app-test-i', 'lint'];
    const text = `tasks:\n${ids.map((id) => `  ${id}: { run: x }\n`).join('')}`;
    const folder = plansOfFolder({ 'interlock.yaml': text });
    const found = findTasks(folder, query, limit);
    expect(found.map(({ task }) => task.id).join(' ')).toBe(expected);
    expect(new Set(found.map(({ planName }) => planName))).toEqual(
      new Set(expected === '' ? [] : ['shop']),
    );
  });
}

checkFound('', 'api lint Api-docs build-api app-test-i');
checkFound('api', 'api Api-docs build-api app-test-i');
checkFound('API', 'api Api-docs build-api app-test-i');
checkFound('api', 'api Api-docs', 2);
checkFound('ap i', 'api Api-docs build-api app-test-i');
checkFound('bldp', 'build-api');
checkFound('ipa', '');

test('of many tasks the best are found', () => {
  const ids = Array.from({ length: 5000 }, (_, index) => `task-${index}-of-the-build`);
  const folder = plansOfFolder({
    'interlock.yaml': `tasks:\n${ids.map((id) => `  ${id}: {run: x}\n`).join('')}`,
  });
  expect(findTasks(folder, 'tb', 500)).toHaveLength(500);
  expect(findTasks(folder, 'task-199-', 500)[0]?.task.id).toBe('task-199-of-the-build');
});
