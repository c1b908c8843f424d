import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyzePlan } from '../../../../server/plans/analyze.ts';
import { parseInterlockYaml } from '../../../../server/plans/interlock-yaml.ts';
import type { AnalyzedPlan } from '../../../../server/plans/plan.ts';
import { tasksJsonToPlan } from '../../../../server/plans/vscode-tasks/tasks-json-to-plan.ts';
import { parseVsCodeTasks } from '../../../../server/plans/vscode-tasks/vscode-tasks.ts';
import { SHOP } from '../../../support/editor-tasks.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const HEAD = `# Taken over from .vscode/tasks.json, with what it says for Linux.
# Say what each task reads and writes, so that two that touch the same files do not run at once:
#   reads: [src/**]
#   writes: [dist/**]

version: 1
`;

function read(yaml: string): AnalyzedPlan {
  return analyzePlan(parseInterlockYaml(yaml), { foldCase: false });
}

/** The plan for some tasks, below what every plan begins with; nothing in it is wrong. */
function check(name: string, tasks: string, expected: string): void {
  test(name, () => {
    const yaml = tasksJsonToPlan(`{ "tasks": [${tasks}] }`, 'linux');
    expect(yaml.slice(0, HEAD.length)).toBe(HEAD);
    expect(yaml.slice(HEAD.length)).toBe(expected);
    expect(read(yaml).problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
}

check('no tasks are an empty plan', '', 'tasks: {}\n');

check(
  'a script is a script, a process a list',
  `{ "label": "lint", "type": "shell", "command": "make", "args": ["a b", "c"] },
   { "label": "p q", "type": "process", "command": "node", "args": ["a b", "*"], "options": { "cwd": "./x", "env": { "N": 1 } } }`,
  `tasks:
  lint:
    run: make 'a b' c
  p-q:
    title: p q
    run: [node, a b, "*"]
    cwd: x
    env:
      N: "1"
`,
);

check(
  'dependencies are ids, and a task without a command does nothing itself',
  '{ "label": "a b", "command": "x" }, { "label": "all", "dependsOn": ["a b"] }',
  `tasks:
  a-b:
    title: a b
    run: [x]
  all:
    depends_on: [a-b]
    run: exit 0
`,
);

check(
  'variables are looked up when the task runs, in whatever quotes they stand',
  String.raw`{ "label": "a", "type": "shell", "command": "x ${'${workspaceFolder}'} \"${'${userHome}'}\" '${'${workspaceFolderBasename}'}' ${'${/}'}",
    "options": { "cwd": "${'${workspaceFolder}'}/b", "env": { "P": "${'${env:PATH}'}:it's", "Q": "q" } } }`,
  `tasks:
  a:
    run: |-
      export P=''"\${PATH}"':it'\\''s'
      x "\${INTERLOCK_BOARD}" "\${HOME}" ''"\${INTERLOCK_BOARD##*/}"'' /
    cwd: b
    env:
      Q: q
`,
);

check(
  'a process that needs a variable is a script',
  '{ "label": "a", "command": "node", "args": ["${workspaceFolder}/x.js", "b c", "$d"] }',
  `tasks:
  a:
    run: node "\${INTERLOCK_BOARD}"/x.js 'b c' '$d'
`,
);

check(
  'a shell that is named is a program with the line as its last argument',
  `{ "label": "a", "type": "shell", "command": "echo \${workspaceFolder}",
     "options": { "shell": { "executable": "bash", "args": ["-c"] } } }`,
  `tasks:
  a:
    run: [bash, -c, 'echo "\${INTERLOCK_BOARD}"']
`,
);

check(
  'what only an editor can do is left to a person, with the reason',
  '{ "label": "a", "command": "x", "args": ["${file}"] }, { "label": "w", "command": "x", "isBackground": true, "dependsOn": "a" }',
  `tasks:
  # This could not be taken over. Write a command in place of "role: human".
  # "\${file}" stands for the file that is open there, so only the editor can run this task.
  a:
    role: human
  # This could not be taken over. Write a command in place of "role: human".
  # "w" goes on until it is stopped, and only the editor can tell when it is ready, so only the editor can run it.
  w:
    depends_on: [a]
    role: human
`,
);

check(
  'scripts of npm are run by npm, also those that the editor finds by itself',
  '{ "type": "npm", "script": "build", "path": "web", "label": "b", "dependsOn": ["npm: install", "gulp: x"] }',
  `tasks:
  # The editor may use another package manager than npm.
  b:
    depends_on: [npm-install, gulp-x]
    run: [npm, run, build]
    cwd: web
  # The editor may use another package manager than npm.
  npm-install:
    title: "npm: install"
    run: [npm, install]
  # This could not be taken over. Write a command in place of "role: human".
  # No task of the file has the label "gulp: x".
  gulp-x:
    title: "gulp: x"
    role: human
`,
);

check(
  'an order becomes a dependency, and a comment says who wants it',
  '{ "label": "a", "command": "x" }, { "label": "b", "command": "x" }, { "label": "T t", "dependsOn": ["a", "b"], "dependsOrder": "sequence" }',
  `tasks:
  a:
    run: [x]
  # It waits for a because "T t" wants them one after the other; in tasks.json, only when that runs.
  b:
    depends_on: [a]
    run: [x]
  T-t:
    title: T t
    depends_on: [a, b]
    run: exit 0
`,
);

check(
  'a folder elsewhere is not taken over',
  '{ "label": "a", "command": "x", "options": { "cwd": "${userHome}" } }',
  `tasks:
  # This could not be taken over. Write a command in place of "role: human".
  # It runs outside of the workspace folder.
  a:
    role: human
`,
);

test('what is wrong with the file itself stands at the top', () => {
  const yaml = tasksJsonToPlan('{ "tasks": [{ "command": "x" }] ', 'linux');
  expect(yaml).toContain('# Not taken over: This is not JSON: "}" belongs here.\n');
  expect(yaml).toContain('# Not taken over: A task needs a "label": others name it by that.\n');
});

test('nobody can end a comment or a key from within a label', () => {
  const label = 'x\\n  evil:\\n    run: touch hit #';
  const yaml = tasksJsonToPlan(`{ "tasks": [{ "type": "gulp", "label": "${label}" }] }`, 'linux');
  expect(read(yaml).tasks).toHaveLength(1);
});

test('on Windows no POSIX shell looks variables up', () => {
  const text = '{ "tasks": [{ "label": "a", "command": "x", "args": ["${workspaceFolder}"] }] }';
  expect(tasksJsonToPlan(text, 'windows')).toContain('which Windows does not have.');
});

/** Tasks that print what they are given, their folder and a variable. */
const WORDS = fc.constantFrom(
  'a',
  'b c',
  "it's",
  '"q"',
  "'s t'",
  '$x',
  '*',
  '\\',
  '${workspaceFolder}',
  '${workspaceFolder}/d e',
  '${userHome}',
  '"${workspaceFolder}"',
  "'${workspaceFolderBasename}'",
  'é',
  '',
  '-n',
  '#',
  '~',
);

const TASK = fc.record({
  type: fc.constantFrom('shell', 'process'),
  words: fc.array(
    fc.oneof(
      WORDS,
      fc.record({ value: WORDS, quoting: fc.constantFrom('strong', 'weak', 'escape') }),
    ),
    { maxLength: 4 },
  ),
  value: WORDS,
});

test('any plan that is made can be read, and its tasks run as those of the tasks.json', () => {
  const folder = path.join(temporaryFolder(), 'shop');
  mkdirSync(folder);
  const surroundings = { ...SHOP, workspaceFolder: folder };
  let count = 0;
  fc.assert(
    fc.property(TASK, ({ type, words, value }) => {
      const command = {
        type,
        command: 'printf',
        args: [{ value: '%s|', quoting: 'strong' }, ...words],
      };
      const task = { label: 'a', ...command, options: { env: { V: value } } };
      const text = JSON.stringify({ tasks: [task] });
      const plan = read(tasksJsonToPlan(text, 'linux'));
      expect(plan.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
      const original = parseVsCodeTasks(text, surroundings).tasks[0];
      const [ours, theirs] = [plan.tasks[0], original].map(
        (each) => each && outputOf(each, folder),
      );
      expect(ours).toEqual(theirs);
      if (ours !== 'failed') count += 1;
    }),
    { numRuns: 150 },
  );
  expect(count).toBeGreaterThan(60);
});

function outputOf(
  { command, env }: Pick<AnalyzedPlan['tasks'][number], 'command' | 'env'>,
  folder: string,
): string {
  const options = {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: SHOP.userHome, INTERLOCK_BOARD: folder, ...env },
    encoding: 'utf8',
    stdio: 'pipe',
  } as const;
  try {
    const shown = 'printf "[%s]" "$V"';
    if (command?.kind === 'shell')
      return execFileSync('sh', ['-c', `${command.script}\n${shown}`], options);
    const words = [command?.file ?? '', ...(command?.args ?? [])];
    return execFileSync('sh', ['-c', `"$@"\n${shown}`, 'sh', ...words], options);
  } catch {
    return 'failed';
  }
}
