import { expect, test } from 'vitest';
import { parseInterlockYaml } from '../../../server/plans/interlock-yaml.ts';
import { isPlanFileName } from '../../../server/plans/plan-file-names.ts';
import type { ParsedPlan, PlanTask } from '../../../server/plans/plan.ts';
import { taskId } from '../../support/snapshots.ts';

/** What the plan says, and that nothing is wrong with it. */
function check(
  name: string,
  text: string,
  read: (plan: ParsedPlan) => unknown,
): {
  gives: (expected: unknown) => void;
} {
  return {
    gives(expected) {
      test(name, () => {
        const plan = parseInterlockYaml(text);
        expect(plan.problems).toStrictEqual([]);
        expect(read(plan)).toStrictEqual(expected);
      });
    },
  };
}

/** The same for one key of the task `a`. */
function checkTask<Key extends keyof PlanTask>(
  name: string,
  keys: string,
  [key, expected]: readonly [Key, PlanTask[Key]],
): void {
  check(name, `tasks:\n  a: { ${keys} }`, ({ tasks }) => tasks[0]?.[key]).gives(expected);
}

test.for([
  ['interlock.yaml', true],
  ['interlock.yml', true],
  ['web.interlock.yaml', true],
  ['web.interlock.yml', true],
  ['.interlock.yaml', false],
  ['interlock.yaml.bak', false],
  ['my-interlock.yaml', false],
  ['tasks.yaml', false],
] as const)('%s is a plan: %s', ([fileName, expected]) => {
  expect(isPlanFileName(fileName)).toBe(expected);
});

check('an empty file is an empty plan', '', ({ tasks }) => tasks).gives([]);
check('a file of comments is an empty plan', '# later', ({ tasks }) => tasks).gives([]);
check('a plan has a name', 'version: 1\nname: shop', ({ name }) => name).gives('shop');
check('a number is a name as it is written', 'name: 0x1F', ({ name }) => name).gives('0x1F');
check('"true" is a name', 'name: true', ({ name }) => name).gives('true');
check(
  '"no" is a name, also with a YAML 1.1 header',
  '%YAML 1.1\n---\nname: no',
  ({ name }) => name,
).gives('no');
check(
  'a plan limits its parallel tasks',
  'limits: { parallel: 4 }',
  ({ parallel }) => parallel,
).gives(4);
check('a byte order mark is ignored', '\uFEFFname: shop', ({ name }) => name).gives('shop');
check('tasks keep their order', 'tasks:\n  b: { run: x }\n  a: { run: x }', ({ tasks }) =>
  tasks.map(({ id }) => id),
).gives(['b', 'a']);
check(
  'a number is a task id as it is written',
  'tasks:\n  1.0: { run: x }\n  1: { run: x }',
  ({ tasks }) => tasks.map(({ id }) => id),
).gives(['1.0', '1']);
check(
  'names of built-in properties are ids',
  'tasks:\n  constructor: { run: x }\n  toString: { run: x }',
  ({ tasks }) => tasks.map(({ id }) => id),
).gives(['constructor', 'toString']);

checkTask('a task has a title', 'title: Build it', ['title', 'Build it']);
checkTask('a title may be a number', 'title: 5', ['title', '5']);
checkTask('a text is a shell script', 'run: npm test', [
  'command',
  { kind: 'shell', script: 'npm test' },
]);
checkTask('a script may look like a value', 'run: true', [
  'command',
  { kind: 'shell', script: 'true' },
]);
checkTask('a list is a program', 'run: [npm, test, 1.0, true]', [
  'command',
  { kind: 'program', file: 'npm', args: ['test', '1.0', 'true'] },
]);
checkTask('a program may have no arguments', 'run: [make]', [
  'command',
  { kind: 'program', file: 'make', args: [] },
]);
checkTask('an argument may be empty', 'run: [echo, ""]', [
  'command',
  { kind: 'program', file: 'echo', args: [''] },
]);
checkTask('a task without "run" has no command', 'title: x', ['command', undefined]);
checkTask('a task runs in a folder', 'cwd: src/a', ['cwd', 'src/a']);
checkTask('"." is the folder of the plan', 'cwd: .', ['cwd', '']);
checkTask('a task sets variables', 'env: { A: x, B: 1, C: true }', [
  'env',
  { A: 'x', B: '1', C: 'true' },
]);
checkTask('a task depends on others', 'depends_on: [b, 1]', [
  'dependsOn',
  [taskId('b'), taskId('1')],
]);
checkTask('a task comes after others', 'after: [b]', ['after', [taskId('b')]]);
checkTask('a task reads', 'reads: [src/**, "!src/a"]', ['reads', ['src/**', '!src/a']]);
checkTask('a task writes', 'writes: [x, y]', ['writes', ['x', 'y']]);
checkTask('a list without entries is empty', 'writes: ', ['writes', []]);
checkTask('a task has a description', 'description: "Line one.\\n  Line two."', [
  'description',
  'Line one.\n  Line two.',
]);
checkTask('a description may be long', `description: "${'x'.repeat(256 * 1024)}"`, ['title', '']);

test('a variable may have the name of a built-in property', () => {
  const { tasks } = parseInterlockYaml(
    'tasks:\n  a: { run: x, env: { __proto__: y, constructor: z } }',
  );
  expect(Object.entries(tasks[0]?.env ?? {})).toStrictEqual([
    ['__proto__', 'y'],
    ['constructor', 'z'],
  ]);
});

test.for([
  'tasks: { __proto__: { run: x } }',
  '__proto__: { polluted: yes }',
  'tasks: { a: { __proto__: { polluted: yes } } }',
  'tasks: { a: { env: { __proto__: polluted } } }',
  'tasks: { a: { resources: { __proto__: { polluted: yes } } } }',
  'tasks: { a: { retry: { __proto__: { polluted: yes } } } }',
  'defaults: { __proto__: { polluted: yes }, env: { __proto__: polluted } }\ntasks: { a: {} }',
  'limits: { __proto__: { polluted: yes } }',
  'hazards: { __proto__: { polluted: yes } }',
])('nothing is polluted by %s', (text) => {
  parseInterlockYaml(text);
  expect(({} as Readonly<Record<string, unknown>>)['polluted']).toBeUndefined();
  expect(Object.keys(Object.prototype)).toStrictEqual([]);
});

test('the ranges of a task cover its id, its keys, and each mention', () => {
  const text = 'tasks:\r\n  a:\r\n    run: x\r\n    after: [b]\r\n    writes:\r\n      - "y"\r\n';
  const [task] = parseInterlockYaml(text).tasks;
  const ranges = [
    task?.idRange,
    task?.range,
    task?.afterMentions[0]?.range,
    task?.writeMentions[0]?.range,
  ];
  expect(ranges.map((range) => text.slice(range?.start, range?.end).trimEnd())).toStrictEqual([
    'a',
    text.slice(text.indexOf('a:')).trimEnd(),
    'b',
    '"y"',
  ]);
});

test('a task that stands in two "tasks" is one task', () => {
  const { tasks } = parseInterlockYaml('tasks: { a: { run: x } }\ntasks: { a: { run: y }, b: {} }');
  expect(tasks.map(({ id }) => id)).toStrictEqual(['a', 'b']);
});
