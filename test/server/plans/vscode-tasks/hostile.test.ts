import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { tasksJsonToPlan } from '../../../../server/plans/vscode-tasks/tasks-json-to-plan.ts';
import { checkTask, checkTasksJson, readTask, readTasks } from '../../../support/editor-tasks.ts';

test('a file of 10 MB is too large, and is not read', () => {
  const text = `{ "tasks": [${'{ "label": "a", "command": "x" },'.repeat(300_000)}] }`;
  expect(readTasks(text)).toMatchObject({
    tasks: [],
    problems: [{ code: 'too-large', message: 'A plan has at most 1 MiB.' }],
  });
});

test('100 000 brackets overflow nothing', () => {
  for (const text of ['['.repeat(100_000), '{"a":'.repeat(100_000)]) {
    const { tasks, problems } = readTasks(text);
    expect(tasks).toEqual([]);
    expect(problems).toMatchObject([
      { code: 'too-large', message: 'A plan nests at most 50 levels deep.' },
    ]);
  }
});

test('a list of 400 000 values overflows nothing', () => {
  const { problems } = readTasks(`{ "tasks": [${'1,'.repeat(400_000)}1] }`);
  expect(problems[0]).toMatchObject({ code: 'too-large' });
});

test('a file of 12 000 tasks is searched once, not once for each of them', () => {
  const task = '{ "label": "…", "command": "x", "isBackground": true },';
  const tasks = Array.from({ length: 12_000 }, (_, index) => task.replace('…', `… ${index}`));
  expect(readTasks(`{ "tasks": [${tasks.join('')}] }`).tasks).toEqual([]);
});

test('140 000 variables that never end are looked through once', () => {
  for (const text of ['${', '${}\\n${', '${ '])
    expect(readTask(`"command": "${text.repeat(140_000)}"`)).toMatchObject({ id: 'a' });
});

test('100 000 closing brackets, commas or quotes are slips', () => {
  for (const text of [']', ',', '"', '"a', '{}', ':', '/*', '\\'])
    expect(readTasks(text.repeat(100_000)).problems.length).toBeGreaterThan(0);
});

test('brackets in texts and comments do not nest', () => {
  const text = `{ /* ${'['.repeat(99)} */ "tasks": [{ "label": "${'['.repeat(99)}", "command": "x" }] }`;
  expect(readTasks(text).problems).toEqual([]);
});

checkTasksJson(
  'a NUL in a file is a slip',
  '{ «\0» "tasks": [] }',
  'error syntax: This is not JSON: this is no value.',
);

checkTask(
  'a NUL in a text is refused',
  String.raw`"command": «"a\u0000b"», "args": [«"\u0000"»], "options": { "cwd": «"\u0000"», "env": { "A": «"\u0000"» } }`,
  [
    'error wrong-type: "command" cannot contain a NUL character.',
    'error wrong-type: An argument cannot contain a NUL character.',
    'error wrong-type: "cwd" cannot contain a NUL character.',
    'error wrong-type: "A" cannot contain a NUL character.',
  ],
);

test('__proto__ is a name like any other', () => {
  const { env } = readTask(
    '"command": "x", "options": { "env": { "__proto__": "1", "toString": "2" } }',
  );
  expect(Object.entries(env)).toEqual([
    ['__proto__', '1'],
    ['toString', '2'],
  ]);
  const text = `{ "__proto__": { "tasks": [{ "label": "no", "command": "x" }] },
    "tasks": [{ "label": "__proto__", "command": "x" }, { "label": "constructor", "dependsOn": ["__proto__"] }] }`;
  const { tasks, problems } = readTasks(text);
  expect(tasks.map(({ label }) => label)).toEqual(['__proto__', 'constructor']);
  expect(problems).toEqual([]);
});

test('control and direction characters of labels do not reach messages', () => {
  const { problems } = readTasks(
    String.raw`{ "tasks": [{ "label": "a\u001b[31m\u202Eb", "command": "x", "dependsOn": "a\u001b[31m\u202Eb" }] }`,
  );
  expect(problems.map(({ message }) => message).join()).not.toMatch(/\p{Cc}|\p{Cf}/u);
});

checkTasksJson(
  'a slip is marked, and the tasks are shown',
  '{ "tasks": [{ "label": "a", "command": "x" } «{» "label": "b" «"command"»: "y" }] }',
  [
    'error syntax: This is not JSON: "," belongs here.',
    'error syntax: This is not JSON: "," belongs here.',
  ],
);

test('what is behind a slip is read, and nothing of it runs', () => {
  const { tasks, obstacles, problems } = readTasks(
    '{ "tasks": [{ "label": "a" "command": "x" }, { "label": "b", "command": "y" }',
  );
  expect(tasks.map(({ id }) => id)).toEqual(['a', 'b']);
  expect(problems.map(({ message }) => message)).toEqual([
    'This is not JSON: "," belongs here.',
    'This is not JSON: "]" belongs here.',
    'This is not JSON: "}" belongs here.',
  ]);
  expect(obstacles.size).toBe(2);
});

test('more tasks than a plan may have are left out', () => {
  const text = `{ "tasks": [${'{"label":"a","command":"x"},'.repeat(20_001)}] }`;
  const { problems } = readTasks(text);
  expect(problems.map(({ message }) => message)).toContain(
    'A plan has at most 20000 tasks; the rest is left out.',
  );
});

const TOKENS =
  `{ } [ ] , : " // /* */ \\ \${ 1 null "tasks" "label" "a" "command" "dependsOn" "args" "options" "env"`
    .split(' ')
    .concat(' ', '\n');

test('any text is read, without a throw and with every range inside of it', () => {
  const words = fc.constantFrom(...TOKENS);
  fc.assert(
    fc.property(fc.array(words, { maxLength: 60 }), (parts) => {
      const text = parts.join('');
      for (const { range } of readTasks(text).problems) {
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.end).toBeGreaterThanOrEqual(range.start);
        expect(range.end).toBeLessThanOrEqual(text.length);
      }
      tasksJsonToPlan(text, 'linux');
    }),
    { numRuns: 3000 },
  );
});
