import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { DiskPlanFiles } from '../../../server/system/plan-files.ts';
import { CONFIG, taskText } from '../../support/kanban-board.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** What is found in a folder with these files. */
function found(
  files: Readonly<Record<string, string>>,
  prepare: (root: string) => void = () => {},
): readonly string[] {
  const root = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  prepare(root);
  return new DiskPlanFiles({})
    .list(root)
    .map(({ kind, files: parts }) => `${kind}: ${parts.join(' ')}`);
}

test('a folder with a configuration and tasks is a board', () => {
  expect(
    found({
      'kanban/config.yml': CONFIG,
      'kanban/tasks/002-b.md': taskText(2),
      'kanban/tasks/001-a.md': taskText(1),
      'kanban/tasks/x.txt': '',
      'interlock.yaml': 'tasks: {}',
    }),
  ).toStrictEqual([
    'interlock: interlock.yaml',
    'kanban: kanban/config.yml kanban/tasks/001-a.md kanban/tasks/002-b.md',
  ]);
});

test('its tasks may be in a folder of another name', () => {
  const config = CONFIG.replace('tasks_dir: tasks', 'tasks_dir: "../elsewhere/items" # here');
  expect(
    found({ 'board/config.yml': config, 'elsewhere/items/001-a.md': taskText(1) }),
  ).toStrictEqual(['kanban: board/config.yml elsewhere/items/001-a.md']);
});

test('a config.yml of another program is no board', () => {
  expect(
    found({
      'a/config.yml': 'version: 2\njobs: {}\n',
      'a/tasks/001-a.md': taskText(1),
      'b/config.yml': 'tasks_dir: tasks\n',
      'b/tasks/001-a.md': taskText(1),
      'c/config.yml': CONFIG,
      'd/config.yml': CONFIG.replace('tasks_dir: tasks', 'tasks_dir: ../../tasks'),
      '.hidden/config.yml': CONFIG,
      '.hidden/tasks/001-a.md': taskText(1),
      'node_modules/e/config.yml': CONFIG,
      'node_modules/e/tasks/001-a.md': taskText(1),
    }),
  ).toStrictEqual([]);
});

test('a link to a file in the folder is a task, and one that leads elsewhere is not', () => {
  const elsewhere = path.join(temporaryFolder(), 'x.md');
  writeFileSync(elsewhere, taskText(3));
  const links = (root: string): void => {
    symlinkSync(path.join(root, 'notes', 'b.md'), path.join(root, 'tasks', '002-b.md'));
    symlinkSync(elsewhere, path.join(root, 'tasks', '003-c.md'));
    symlinkSync(path.join(root, 'gone'), path.join(root, 'tasks', '004-d.md'));
  };
  const files = { 'config.yml': CONFIG, 'tasks/001-a.md': taskText(1), 'notes/b.md': taskText(2) };
  expect(found(files, links)).toStrictEqual(['kanban: config.yml tasks/001-a.md tasks/002-b.md']);
});

test('nothing is looked for where links or dots lead out of the folder', async () => {
  const [root, outside] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(path.join(outside, 'tasks'));
  writeFileSync(path.join(outside, 'tasks/001-a.md'), taskText(1));
  symlinkSync(outside, path.join(root, 'link'));
  mkdirSync(path.join(root, 'kanban'));
  writeFileSync(path.join(root, 'kanban/config.yml'), CONFIG);
  symlinkSync(path.join(outside, 'tasks'), path.join(root, 'kanban/tasks'));
  const files = new DiskPlanFiles({});
  expect(files.board(root, 'kanban/config.yml')).toBeUndefined();
  for (const folder of ['link', 'link/tasks', '..', `../${path.basename(outside)}`]) {
    expect(files.entries(root, folder)).toStrictEqual([]);
    expect(await allOf(files.filesBelow(root, folder))).toStrictEqual([]);
  }
});

test('links and dots that stay in the folder are followed', async () => {
  const root = temporaryFolder();
  mkdirSync(path.join(root, '..hidden'));
  writeFileSync(path.join(root, '..hidden/file'), '');
  symlinkSync(path.join(root, '..hidden'), path.join(root, 'link'));
  const files = new DiskPlanFiles({});
  for (const folder of ['..hidden', 'link', 'link/../..hidden']) {
    expect(files.entries(root, folder).map(({ name }) => name)).toStrictEqual(['file']);
    expect(await allOf(files.filesBelow(root, folder))).toHaveLength(1);
  }
});

async function allOf<T>(files: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const one of files) all.push(one);
  return all;
}
