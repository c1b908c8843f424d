import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { DiskPlanFiles } from '../../../server/system/plan-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function folderWith(...files: readonly string[]): string {
  const folder = temporaryFolder();
  for (const file of files) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(folder, file), '{}');
  }
  return folder;
}

function pathsIn(folder: string): readonly string[] {
  return new DiskPlanFiles({}).list(folder).map((source) => source.path);
}

test('plans are found in the order of their paths, and the tasks.json of the folder last', () => {
  const files = ['z/interlock.yml', 'a.interlock.yaml', 'interlock.yaml', '.vscode/tasks.json'];
  expect(pathsIn(folderWith(...files))).toEqual([
    'a.interlock.yaml',
    'interlock.yaml',
    'z/interlock.yml',
    '.vscode/tasks.json',
  ]);
});

test('a tasks.json anywhere else is none of this folder', () => {
  const files = [
    'tasks.json',
    'sub/.vscode/tasks.json',
    '.vscode/settings.json',
    '.vscode/x/tasks.json',
  ];
  expect(pathsIn(folderWith(...files))).toEqual([]);
});

test('other hidden folders and packages are not looked into', () => {
  const files = ['.git/interlock.yaml', 'node_modules/a/interlock.yaml', '.vscode/interlock.yaml'];
  expect(pathsIn(folderWith(...files))).toEqual([]);
});

test('a link or a folder of that name is none', () => {
  const folder = folderWith('elsewhere.json', '.vscode/x');
  symlinkSync('../elsewhere.json', path.join(folder, '.vscode/tasks.json'));
  expect(pathsIn(folder)).toEqual([]);
  expect(pathsIn(folderWith('.vscode/tasks.json/x'))).toEqual([]);
});

test('its variables are those of the machine, and of the environment only what tasks inherit', () => {
  const folder = folderWith('.vscode/tasks.json');
  const [source] = new DiskPlanFiles({ PATH: '/p', TOKEN: 'secret' }).list(folder);
  expect(source).toMatchObject({
    kind: 'vscode-tasks',
    surroundings: { workspaceFolder: folder, userHome: os.homedir() },
  });
  expect(source?.surroundings?.environment['PATH']).toBe('/p');
  expect(JSON.stringify(source)).not.toContain('secret');
});
