import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cli, ROOT, startCli, startProgram } from '../support/command.ts';
import { projectWith } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PLAN = 'tasks:\n  bread: { run: "true" }\n';

test('a folder without a plan is said in the same words by all, with 2', async () => {
  const folder = temporaryFolder();
  const sentence = `There is no plan in ${folder}. "interlock init" writes a small interlock.yaml there, which you can change.\n`;
  const lines = ['check', 'run', 'run x', 'run --dry-run', 'status', 'why x', 'log x', 'cancel x'];
  const said = await Promise.all(
    [...lines, 'claim x --as me', 'claim --as me'].map(
      async (line) => await cli(line.split(' '), folder),
    ),
  );
  for (const each of said) expect(each).toEqual({ code: 2, out: '', err: sentence });
  const { out } = await cli(['check', '--json'], folder);
  expect(JSON.parse(out)).toMatchObject({ refused: { why: 'no-plan' } });
});

test('init writes a plan that runs into a folder that has none, and leaves others alone', async () => {
  const folder = temporaryFolder();
  expect(await cli(['init'], folder)).toEqual({
    code: 0,
    out: `Wrote ${path.join(folder, 'interlock.yaml')}. "interlock run" runs it.\n`,
    err: '',
  });
  expect(await cli(['check'], folder)).toEqual({ code: 0, out: '', err: '' });
  expect((await cli(['run'], folder)).code).toBe(0);
  expect(readFileSync(path.join(folder, 'shout.txt'), 'utf8')).toBe('HELLO FROM INTERLOCK\n');
  const other = temporaryFolder();
  writeFileSync(path.join(other, 'mine.interlock.yml'), PLAN);
  const { code, err } = await cli(['init'], other);
  expect([code, err]).toEqual([
    4,
    expect.stringMatching(/mine\.interlock\.yml\. It is left as it is\.\n$/),
  ]);
  expect(readdirSync(other)).toEqual(['mine.interlock.yml']);
});

test('init writes a plan of what the folder is built with, names what else fits, and takes a choice', async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'interlock.yaml');
  const scripts = { build: 'node -e "0"', test: 'node -e "0"' };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ scripts }));
  writeFileSync(path.join(folder, 'Makefile'), 'all:\n\techo made > all.txt\n');
  expect((await cli(['init'], folder)).out).toBe(
    `Wrote ${file}, made from package.json. "interlock run" runs it. Also possible: --for make.\n`,
  );
  expect(await cli(['check'], folder)).toEqual({ code: 0, out: '', err: '' });
  expect((await cli(['run'], folder)).code).toBe(0);
  rmSync(file);
  expect(JSON.parse((await cli(['init', '--for', 'make', '--json'], folder)).out)).toEqual({
    file,
    from: 'Makefile',
    others: [],
  });
  expect(await cli(['check'], folder)).toEqual({ code: 0, out: '', err: '' });
  rmSync(file);
  expect(await cli(['init', '--for', 'cargo'], folder)).toEqual({
    code: 2,
    out: '',
    err: `Nothing in ${folder} can be run with cargo. What fits there: npm, make, small.\n`,
  });
  expect((await cli(['init', '--for', 'bazel'], folder)).err).toContain(
    '"bazel" is not one of npm,',
  );
});

test('init takes over a tasks.json, and what it wrote runs', async () => {
  const folder = temporaryFolder();
  expect((await cli(['init', '--from-tasks'], folder)).err).toBe(
    `There is no .vscode/tasks.json in ${folder}. Without --from-tasks, a small plan is written.\n`,
  );
  mkdirSync(path.join(folder, '.vscode'));
  writeFileSync(
    path.join(folder, '.vscode', 'tasks.json'),
    `{ "tasks": [ // of the editor
      { "label": "say it", "type": "shell", "command": "echo \${workspaceFolder} > said.txt" },
      { "label": "all", "dependsOn": "say it", },
    ] }`,
  );
  expect((await cli(['run', 'all'], folder)).code).toBe(0);
  expect(readFileSync(path.join(folder, 'said.txt'), 'utf8')).toBe(`${folder}\n`);
  writeFileSync(path.join(folder, 'said.txt'), '');
  expect((await cli(['init', '--from-tasks'], folder)).code).toBe(0);
  expect(await cli(['check'], folder)).toEqual({ code: 0, out: '', err: '' });
  expect((await cli(['run'], folder)).code).toBe(0);
  expect(readFileSync(path.join(folder, 'said.txt'), 'utf8')).toBe(`${folder}\n`);
});

test('what only an editor can do is shown by check and not counted', async () => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, '.vscode'));
  const text = '{ "tasks": [{ "label": "a", "command": "x ${file}" }] }';
  writeFileSync(path.join(folder, '.vscode', 'tasks.json'), text);
  expect(await cli(['check'], folder)).toEqual({
    code: 0,
    out: '.vscode/tasks.json:1:43 hint editor-only "${file}" stands for the file that is open there, so only the editor can run this task.\n',
    err: '',
  });
  const { code, err } = await cli(['run', 'a'], folder);
  expect(code).toBe(2);
  expect(err).toContain('"a" cannot start. "${file}" stands for the file that is open there');
});

test('a command typed below the plan of a repository is about the folder of the plan', async () => {
  const folder = projectWith(PLAN);
  const below = path.join(folder, 'src', 'deep');
  for (const each of [below, path.join(folder, '.git')]) mkdirSync(each, { recursive: true });
  expect(await cli(['check'], below)).toEqual({
    code: 0,
    out: '',
    err: `In ${folder}, where the plan is:\n`,
  });
  expect(await cli(['check', '--json'], below)).toMatchObject({ code: 0, err: '' });
  expect((await cli(['check', '--board', '.'], below)).code).toBe(2);
});

test('a task that no plan has is said with the one that may have been meant', async () => {
  const folder = projectWith(PLAN);
  const lines = ['run bred', 'run --dry-run bred', 'why bred', 'log bred', 'pause bred'];
  for (const line of [...lines, 'cancel bred', 'retry bred', 'claim bred --as me'])
    expect(await cli(line.split(' '), folder)).toMatchObject({
      code: 2,
      err: 'There is no task "bred". Did you mean "bread"?\n',
    });
});

test('of a task that is in no run it is said what can be done', async () => {
  const folder = projectWith(PLAN);
  const none = 'No unfinished run has a task "bread".';
  const said = async (line: string): Promise<string> => (await cli(line.split(' '), folder)).err;
  expect(await said('cancel bread')).toBe(`${none} There is nothing to cancel.\n`);
  expect(await said('retry bread')).toBe(`${none} "interlock run bread" runs it.\n`);
  expect((await cli(['why', 'bread'], folder)).out).toBe(
    '"bread" has not been asked for: interlock run bread\n',
  );
  expect(await said('claim bread --as me')).toBe(
    `${none} "interlock run bread" asks for it, and then it can be claimed.\n`,
  );
});

test('run says who waits for whom because of files, once, on the error output', async () => {
  // Outside of the tree: what is written in it is somebody's.
  const go = path.join(temporaryFolder(), 'go');
  const until = `until test -e ${go} || test ! -e interlock.yaml; do sleep 0.02; done`;
  const folder = projectWith(
    `tasks:\n  a: { run: "${until}", writes: [f] }\n  b: { run: "true", writes: [f] }\n`,
  );
  const run = startCli(['run'], folder);
  await run.says('b: waits for a, which writes f too');
  writeFileSync(go, '');
  const { code, err } = await run.ended;
  const said = err.split('\n').filter((line) => /^[ab]: /.test(line));
  expect([code, said]).toEqual([0, ['b: waits for a, which writes f too']]);
});

test.runIf(process.platform === 'linux')('bash completes commands and options', async () => {
  const folder = temporaryFolder();
  const { out: script } = await cli(['completion', 'bash'], folder);
  writeFileSync(path.join(folder, 'completion'), script);
  const typed = async (...words: string[]): Promise<string> => {
    const command = `source completion; COMP_WORDS=(interlock ${words.join(' ')}); COMP_CWORD=${words.length}; _interlock; echo "\${COMPREPLY[@]}"`;
    return (await startProgram('bash', ['-c', command], { cwd: folder }).ended).out.trim();
  };
  expect(await typed('re')).toBe('ready renew release retry resume');
  expect(await typed('run', '--pa')).toBe('--parallel');
});

test('npm run interlock says how to build what is not built yet', async () => {
  const folder = temporaryFolder();
  const script = path.join(folder, 'scripts', 'interlock.mjs');
  mkdirSync(path.dirname(script));
  copyFileSync(path.join(ROOT, 'scripts', 'interlock.mjs'), script);
  expect(await startProgram(process.execPath, [script, 'check'], { cwd: folder }).ended).toEqual({
    code: 5,
    out: '',
    err: 'The command line is not built yet: run "npm ci" and then "npm run build".\n',
  });
});
