import { expect, test } from 'vitest';
import {
  INHERITED_NAMES,
  type Surroundings,
} from '../../../../server/plans/vscode-tasks/surroundings.ts';
import { baseEnvironment } from '../../../../server/runners/environment.ts';
import { checkTask, checkTasksJson, readTask, readTasks } from '../../../support/editor-tasks.ts';

interface Expected {
  readonly value: string;
  readonly where: Partial<Surroundings>;
}

/** What a program is given for an argument with variables in it. */
function check(name: string, written: string, expected: string | Expected): void {
  test(name, () => {
    const keys = `"command": "x", "args": [${JSON.stringify(written)}]`;
    const { value, where } =
      typeof expected === 'string' ? { value: expected, where: {} } : expected;
    const { command } = readTask(keys, where);
    expect(command).toMatchObject({ args: [value] });
  });
}

check('the workspace folder', '${workspaceFolder}/a', '/u/me/shop/a');
check('its old name', '${workspaceRoot}', '/u/me/shop');
check('the folder that tasks start in is the same', '${cwd}', '/u/me/shop');
check('the folder by its name', '${workspaceFolder:shop}', '/u/me/shop');
check('the name of the folder', '${workspaceFolderBasename}-1', 'shop-1');
check('the home of the user', '${userHome}/.x', '/u/me/.x');
check('what is between folders', 'a${/}b${pathSeparator}c', 'a/b/c');
check('what is between folders of Windows', 'a${/}b', {
  value: 'a\\b',
  where: { platform: 'windows' },
});
check('the environment that tasks inherit', '${env:PATH}:x', '/bin:/usr/bin:x');
check('what that does not have is empty', '[${env:TZ}]', '[]');
check('names of Windows are of any case', '${env:Path}', {
  value: '/bin:/usr/bin',
  where: { platform: 'windows' },
});
check('several of them', '${userHome}${/}${userHome}', '/u/me//u/me');
check(
  'what is no variable of the editor is left alone',
  '${HOME} ${x} $y ${}',
  '${HOME} ${x} $y ${}',
);
check('nested ones are left alone, as editors do', '${a${userHome}}', '${a${userHome}}');
check('a value is not looked through again', '${userHome}', {
  value: '${workspaceFolder}',
  where: { userHome: '${workspaceFolder}' },
});
check('characters for private use mean themselves', '\uE000${userHome}\uE001', '\uE000/u/me\uE001');

test('variables are looked up in the command, the folder and the environment', () => {
  const keys = `"command": "\${workspaceFolder}/run", "options": { "cwd": "\${workspaceFolder}/b", "env": { "A": "\${userHome}" } }`;
  expect(readTask(keys)).toMatchObject({
    command: { file: '/u/me/shop/run' },
    cwd: 'b',
    env: { A: '/u/me' },
  });
});

const OPEN_FILE = 'stands for the file that is open there, so only the editor can run this task.';

for (const name of [
  'file',
  'relativeFile',
  'fileBasenameNoExtension',
  'fileDirname',
  'fileExtname',
])
  checkTask(
    `\${${name}} needs an editor`,
    `"command": "x", "args": ["a «\${${name}}»"]`,
    `hint editor-only: "\${${name}}" ${OPEN_FILE}`,
  );

for (const [name, what] of [
  ['lineNumber', 'what is selected there'],
  ['selectedText', 'what is selected there'],
  ['input:where', 'what the user answers there'],
  ['command:ext.pick', 'what one of its commands answers'],
  ['config:python.path', 'one of its settings'],
  ['defaultBuildTask', 'its default build task'],
  ['extensionInstallFolder:x.y', 'where one of its extensions is'],
])
  checkTask(
    `\${${name}} needs an editor`,
    `"type": "shell", "command": "«\${${name}}»"`,
    `hint editor-only: "\${${name}}" stands for ${what}, so only the editor can run this task.`,
  );

checkTask(
  'a variable is marked where it is written, behind escapes',
  String.raw`"command": "a\n\u00e9 \"«${'${file}'}»\""`,
  `hint editor-only: "\${file}" ${OPEN_FILE}`,
);

checkTask(
  'another folder of the window is not known',
  '"command": "«${workspaceFolder:docs}»"',
  'hint editor-only: "docs" is another folder of the window, which this plan does not know.',
);

checkTask(
  'of the environment nothing is read but what tasks inherit: tokens do not get into files of ours',
  '"command": "x", "options": { "env": { "T": "«${env:TOKEN}»" } }',
  `hint editor-only: Tasks run in a clean environment, and "TOKEN" is not in it. What is: ${INHERITED_NAMES.join(', ')}.`,
);

test('a value of the environment that is not inherited is nowhere in the plan', () => {
  const keys = '"command": "${env:TOKEN}", "options": { "env": { "T": "${env:TOKEN}" } }';
  expect(JSON.stringify(readTask(keys))).not.toContain('secret');
});

test('what may be read is what tasks inherit', () => {
  const parent = Object.fromEntries(INHERITED_NAMES.map((name) => [name, 'x']));
  expect(Object.keys(baseEnvironment(parent)).toSorted()).toEqual(INHERITED_NAMES.toSorted());
});

checkTasksJson(
  'a slip in a name is pointed at',
  '{ "tasks": [{ "label": "a", "command": "rm -r «${workspaceFoldr}»/out" }] }',
  'warning unknown-key: "${workspaceFoldr}" is no variable of the editor, so it is left as it is. Did you mean "workspaceFolder"?',
);

test('short names of shells are not taken for slips', () => {
  const { problems } = readTasks(
    '{ "tasks": [{ "label": "a", "command": "${files} ${user} ${HOME} ${config}" }] }',
  );
  expect(problems.filter(({ severity }) => severity === 'warning')).toEqual([]);
});

checkTask(
  'a variable stands where no shell is in between, but not so often',
  `"command": "${'${/}'.repeat(6400)}«\${/}»"`,
  'error too-large: This task has too many variables.',
);
