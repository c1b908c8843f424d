import { expect, test } from 'vitest';
import { checkTask, checkTasksJson, readTask, readTasks } from '../../../support/editor-tasks.ts';

test('comments and trailing commas are read over', () => {
  const { tasks, problems } = readTasks(`{
  // what VS Code writes at the top
  "version": "2.0.0",
  "tasks": [
    /* one */ { "label": "lint", "type": "shell", "command": "make lint", },
  ],
}`);
  expect(tasks).toMatchObject([{ id: 'lint', command: { kind: 'shell', script: 'make lint' } }]);
  expect(problems).toEqual([]);
});

test('a task has the place of its label, and of all that it says', () => {
  const text = '{ "tasks": [{ "label": "a\\u0062 c", "command": "x" }] }';
  const [task] = readTasks(text).tasks;
  expect(text.slice(task?.idRange.start, task?.idRange.end)).toBe('a\\u0062 c');
  expect(text.slice(task?.range.start, task?.range.end)).toBe(text.slice(12, -3));
});

test('a label that is no id is the title, and messages name it', () => {
  const { tasks, problems } = readTasks(
    '{ "tasks": [{ "label": "Build all", "command": "x", "dependsOn": "Build all" }] }',
  );
  expect(tasks).toMatchObject([{ id: 'Build-all', title: 'Build all' }]);
  expect(problems.map(({ message }) => message)).toEqual([
    'Dependency cycle: Build all → Build all. A task cannot wait for itself.',
  ]);
});

test('a task that waits for one that cannot start says so by its label', () => {
  const { obstacles } = readTasks(
    '{ "tasks": [{ "label": "a b", "command": 1 }, { "label": "c", "dependsOn": ["a b"] }] }',
  );
  expect([...obstacles.values()].at(1)).toBe('It waits for "a b", which cannot start.');
});

test('a process is started without a shell, its arguments as they are', () => {
  const keys = `"type": "process", "command": "node", "args": ["a b", "$HOME", { "value": "c d", "quoting": "escape" }]`;
  expect(readTask(keys).command).toEqual({
    kind: 'program',
    file: 'node',
    args: ['a b', '$HOME', 'c d'],
  });
});

test('a task without a type is a process, unless the file says otherwise of all', () => {
  expect(readTask('"command": "make"').command?.kind).toBe('program');
  const { tasks } = readTasks(
    '{ "type": "shell", "tasks": [{ "label": "a", "command": "make" }] }',
  );
  expect(tasks[0]?.command?.kind).toBe('shell');
});

test('a command may be a list, which is one text', () => {
  const task = readTask('"type": "shell", "command": ["make", "all"]');
  expect(task.command).toEqual({ kind: 'shell', script: 'make all' });
});

test('a task that only has others run does nothing itself, and needs no folder for it', () => {
  const { tasks } = readTasks(
    '{ "options": { "cwd": "sub" }, "tasks": [{ "label": "b", "command": "x" }, { "label": "a", "dependsOn": ["b"] }] }',
  );
  expect(tasks[1]).toMatchObject({
    command: { kind: 'shell', script: 'exit 0' },
    dependsOn: ['b'],
    cwd: '',
  });
  expect(tasks[0]?.cwd).toBe('sub');
});

test('one dependency needs no list', () => {
  const { tasks } = readTasks(
    '{ "tasks": [{ "label": "b c", "command": "x" }, { "label": "a", "command": "y", "dependsOn": "b c" }] }',
  );
  expect(tasks[1]).toMatchObject({ dependsOn: ['b-c'], dependsOnMentions: [{ text: 'b-c' }] });
});

test('the old names of keys are read', () => {
  const { tasks } = readTasks('{ "tasks": [{ "taskName": "old", "command": "x" }] }');
  expect(tasks).toMatchObject([{ id: 'old' }]);
});

test('what is said for this system counts instead', () => {
  const keys = `"type": "shell", "command": "make", "args": ["all"],
    "options": { "cwd": "a", "env": { "A": "1", "B": "1" } },
    "windows": { "command": "nmake" },
    "osx": { "args": ["mac"], "options": { "env": { "B": "2" } } }`;
  expect(readTask(keys)).toMatchObject({
    command: { script: 'make all' },
    env: { A: '1', B: '1' },
  });
  expect(readTask(keys, { platform: 'windows' }).command).toEqual({
    kind: 'shell',
    script: 'nmake all',
  });
  expect(readTask(keys, { platform: 'osx' })).toMatchObject({
    command: { script: 'make mac' },
    cwd: 'a',
    env: { A: '1', B: '2' },
  });
});

test('what the file says of all tasks counts where a task says nothing', () => {
  const { tasks } = readTasks(`{
    "options": { "cwd": "all", "env": { "A": "1" } },
    "linux": { "options": { "cwd": "linux" } },
    "tasks": [
      { "label": "a", "command": "x" },
      { "label": "b", "command": "x", "options": { "cwd": "own", "env": { "B": 2, "C": true } } }
    ]
  }`);
  expect(tasks).toMatchObject([{ cwd: 'linux' }, { cwd: 'own' }]);
  expect(tasks.map(({ env }) => env)).toEqual([{ A: '1' }, { B: '2', C: 'true' }]);
});

test('the default build task is what is run when nothing is named', () => {
  const { byDefault } = readTasks(`{ "tasks": [
    { "label": "a", "command": "x", "group": "build" },
    { "label": "b c", "command": "x", "group": { "kind": "build", "isDefault": true } },
    { "label": "d", "command": "x", "group": { "kind": "test", "isDefault": true } }
  ] }`);
  expect(byDefault).toEqual(['b-c']);
});

test('a file without tasks is nothing to complain of', () => {
  for (const text of ['', '// none yet\n', '{}', '{ "version": "2.0.0", "tasks": [] }'])
    expect(readTasks(text)).toMatchObject({ tasks: [], problems: [], byDefault: [] });
});

test('a shell that a task names is started as it says', () => {
  const shell = '"type": "shell", "command": "a b", "options": { "shell": ';
  expect(readTask(`${shell}{ "executable": "bash", "args": ["-lc"] } }`).command).toEqual({
    kind: 'program',
    file: 'bash',
    args: ['-lc', 'a b'],
  });
  expect(readTask(`${shell}{ "args": ["-e"] } }`).command).toEqual({
    kind: 'program',
    file: 'sh',
    args: ['-e', '-c', 'a b'],
  });
});

checkTasksJson(
  'tasks of extensions are left out, which is no mistake',
  '{ "tasks": [{ "type": «"npm"», "script": "build" }, { "type": «"gulp"», "task": "x", "label": "y" }] }',
  [
    'hint editor-only: Tasks of the type "npm" come with an extension, so only the editor can run this one.',
    'hint editor-only: Tasks of the type "gulp" come with an extension, so only the editor can run this one.',
  ],
);

test('tasks that are left out are no tasks', () => {
  const { tasks } = readTasks(
    '{ "tasks": [{ "type": "npm", "label": "a" }, { "label": "w", "command": "x", "isBackground": true }] }',
  );
  expect(tasks).toEqual([]);
});

checkTasksJson(
  'a task that goes on in the background is left out, and so is what waits for it',
  `{ "tasks": [
    { "label": "watch", "command": "x \${file}", "isBackground": «true» },
    { "label": "a", "command": "y", "dependsOn": ["«watch»", "«npm: build»"] }
  ] }`,
  [
    'hint editor-only: "watch" goes on until it is stopped, and only the editor can tell when it is ready, so only the editor can run it.',
    'hint editor-only: Only the editor can run "watch", so only the editor can run what depends on it.',
    'hint editor-only: Only the editor can run "npm: build", so only the editor can run what depends on it.',
  ],
);

checkTask(
  'a dependency that names its task by the type is for the editor',
  '"command": "x", "dependsOn": [«{ "type": "npm", "script": "b" }»]',
  'hint editor-only: This names a task by its type, which only the editor can look up.',
);

checkTasksJson(
  'a dependency that no task has as its label is marked within the quotes',
  '{ "tasks": [{ "label": "build", "command": "x" }, { "label": "a", "dependsOn": ["«biuld»"] }] }',
  'error unknown-task: No task of this file has the label "biuld". Did you mean "build"?',
);

checkTasksJson(
  'a dependency that is there twice runs once',
  '{ "tasks": [{ "label": "b", "command": "x" }, { "label": "a", "dependsOn": ["b", "«b»"] }] }',
  'warning contradiction: "b" is here twice, and runs once.',
);

checkTasksJson(
  'two tasks of one label are one too many',
  '{ "tasks": [{ "label": "a", "command": "x" }, { "label": "«a»", "command": "y" }] }',
  'error duplicate-id: "a" is the label of another task already; this one is left out.',
);

checkTasksJson(
  'only the version that editors write is read',
  '{ "version": «"0.1.0"», "command": "x", "tasks": 1 }',
  'error wrong-type: Only version "2.0.0" of tasks.json is read.',
);

checkTasksJson('a list is no tasks.json', '«[]»', [
  'error wrong-type: A tasks.json is an object: { "tasks": [ … ] }.',
]);

checkTasksJson('tasks are a list', '{ "tasks": «{}» }', [
  'error wrong-type: "tasks" is a list of tasks.',
]);

checkTasksJson('a task is an object with a label', '{ "tasks": [«1», «{ "command": "x" }»] }', [
  'error wrong-type: A task is an object: { "label": … }.',
  'error wrong-type: A task needs a "label": others name it by that.',
]);

checkTasksJson(
  'a task has something to do',
  '{ "tasks": [«{ "label": "a" }»] }',
  'error wrong-type: This task has neither a "command" nor a "dependsOn".',
);

checkTask('a command is a text', '"command": «1»', 'error wrong-type: "command" is a text.');

checkTask(
  'arguments are a list of texts',
  '"command": "x", "args": «"a"»',
  'error wrong-type: "args" is a list of texts.',
);

checkTask(
  'an argument is a text, or says how it is quoted',
  '"command": "x", "args": [«null», «{ "quoting": "weak" }»]',
  [
    'error wrong-type: An argument is a text.',
    'error wrong-type: An argument is a text, or { "value": …, "quoting": … }.',
  ],
);

checkTask(
  'an order is one of two',
  '"command": "x", "dependsOrder": «"sequenze"»',
  'error wrong-type: "dependsOrder" is parallel or sequence. Did you mean "sequence"?',
);

checkTask(
  'an order that is nothing like one of them gets no hint',
  '"command": "x", "dependsOrder": «true»',
  'error wrong-type: "dependsOrder" is parallel or sequence.',
);

checkTasksJson(
  'a type that is nearly one of ours is asked about',
  '{ "tasks": [{ "label": "a", "type": «"shel"», "command": "x" }] }',
  'warning editor-only: Tasks of the type "shel" come with an extension, so only the editor can run this one. Did you mean "shell"?',
);

checkTasksJson(
  'keys that are nearly known are asked about, wherever they stand',
  `{ "«input»": [], "tasks": [«{ "«lable»": "a", "command": "x" }», { "label": "b", "command": "x",
    "«dependOn»": [], "options": { "«evn»": {}, "shell": { "«executabel»": "sh" } },
    "linux": { "«comand»": "y" } }] }`,
  [
    'warning unknown-key: "input" is no key of a tasks.json. Did you mean "inputs"?',
    'error wrong-type: A task needs a "label": others name it by that.',
    'warning unknown-key: "lable" is no key of a task. Did you mean "label"?',
    'warning unknown-key: "dependOn" is no key of a task. Did you mean "dependsOn"?',
    'warning unknown-key: "evn" is no key of "options". Did you mean "env"?',
    'warning unknown-key: "executabel" is no key of "shell". Did you mean "executable"?',
    'warning unknown-key: "comand" is no key of a task. Did you mean "command"?',
  ],
);

checkTasksJson(
  "keys that are nothing like ours, and those of extensions, are nobody's business",
  '{ "mine": 1, "tasks": [{ "label": "a", "command": "x", "comment": "y", "owner": "kim" }, { "type": «"gulp"», "lable": "x" }] }',
  'hint editor-only: Tasks of the type "gulp" come with an extension, so only the editor can run this one.',
);

checkTask(
  'names of variables are checked',
  '"command": "x", "options": { "env": { "«A-B»": "1", "«INTERLOCK_TASK»": "1" } }',
  [
    'error wrong-type: A variable name has letters, digits and "_", and no digit first.',
    'error wrong-type: Names that start with INTERLOCK_ are set by Interlock itself.',
  ],
);

checkTask(
  'a folder lies in the workspace folder',
  '"command": "x", "options": { "cwd": «"../other"» }',
  'error invalid-path: A path cannot leave the workspace folder with "..".',
);

checkTask(
  'an absolute folder lies in the workspace folder, too',
  '"command": "x", "options": { "cwd": «"/u/me/shopping"» }',
  'error invalid-path: Paths are relative to the workspace folder: no leading "/", "~" or drive letter.',
);

function folderOf(cwd: string, surroundings = {}): string {
  return readTask(`"command": "x", "options": { "cwd": ${JSON.stringify(cwd)} }`, surroundings).cwd;
}

test('folders in the workspace folder may be written in any way', () => {
  for (const cwd of ['${workspaceFolder}/a/b', 'a/b', './a/./b/', 'a/c/../b', '/u/me/shop/a/b'])
    expect(folderOf(cwd)).toBe('a/b');
  for (const cwd of ['${workspaceFolder}', '${workspaceFolder}/', '.', 'a/..', '${cwd}'])
    expect(folderOf(cwd)).toBe('');
  const windows = { platform: 'windows', workspaceFolder: String.raw`C:\Users\me\shop` };
  expect(folderOf('${workspaceFolder}\\a\\b', windows)).toBe('a/b');
  expect(folderOf('c:/users/me/shop/a', windows)).toBe('a');
});

test('a mistake in what is said of all tasks is said once, and stops each of them', () => {
  const { problems, obstacles } = readTasks(
    '{ "options": { "cwd": 1 }, "tasks": [{ "label": "a", "command": "x" }, { "label": "b", "command": "x" }] }',
  );
  expect(problems).toHaveLength(1);
  expect(obstacles.size).toBe(2);
});

checkTasksJson(
  'of a key that is there twice the last one counts',
  '{ "tasks": [{ "label": "a", "command": "x", "«command»": "y" }] }',
  'warning duplicate-key: "command" is here twice; the last one counts.',
);
