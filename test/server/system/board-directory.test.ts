import { chmodSync, cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { BoardDirectory } from '../../../server/system/board-directory.ts';
import { folderInTree } from '../../../server/system/working-tree.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function checkHome(name: string, env: NodeJS.ProcessEnv, expected: string): void {
  test(name, () => {
    expect(path.dirname(path.dirname(new BoardDirectory(temporaryFolder(), env).path))).toBe(
      expected,
    );
  });
}

if (process.platform === 'linux') {
  const usual = path.join(os.homedir(), '.local', 'state', 'interlock');
  checkHome('state is kept below the home folder', {}, usual);
  checkHome('XDG_STATE_HOME moves it', { XDG_STATE_HOME: '/elsewhere' }, '/elsewhere/interlock');
  checkHome('an empty XDG_STATE_HOME is ignored', { XDG_STATE_HOME: '' }, usual);
  checkHome('a relative XDG_STATE_HOME is ignored', { XDG_STATE_HOME: 'here' }, usual);
}
checkHome(
  'INTERLOCK_STATE_DIR goes before everything',
  { INTERLOCK_STATE_DIR: path.resolve('/mine'), XDG_STATE_HOME: '/elsewhere' },
  path.resolve('/mine'),
);

test('the folder of a board is for this user only', () => {
  const directory = new BoardDirectory(temporaryFolder(), {
    INTERLOCK_STATE_DIR: temporaryFolder(),
  });
  directory.create();
  expect((statSync(directory.path).mode & 0o777).toString(8)).toBe('700');
});

test('two folders of one name have two boards, named so that people can tell', () => {
  const [one, other] = [path.join(temporaryFolder(), 'app'), path.join(temporaryFolder(), 'app')];
  mkdirSync(one);
  mkdirSync(other);
  const names = [one, other].map((folder) => path.basename(new BoardDirectory(folder, {}).path));
  expect(names[0]).toMatch(/^app-[0-9a-f]{16}$/);
  expect(names[0]).not.toBe(names[1]);
});

test('a folder below the top of a repository has the board of the repository', () => {
  const top = temporaryFolder();
  mkdirSync(path.join(top, '.git'));
  mkdirSync(path.join(top, 'packages', 'web'), { recursive: true });
  const inner = new BoardDirectory(path.join(top, 'packages', 'web'), {});
  expect(inner.path).toBe(new BoardDirectory(top, {}).path);
});

test('a folder lies in the working tree that it is in, and in no other', () => {
  const top = temporaryFolder();
  const [web, module] = [path.join(top, 'packages', 'web'), path.join(top, 'module', 'src')];
  for (const folder of [web, module]) mkdirSync(folder, { recursive: true });
  expect(folderInTree(web)).toBe('');
  mkdirSync(path.join(top, '.git', 'modules', 'module'), { recursive: true });
  writeFileSync(path.join(top, 'module', '.git'), 'gitdir: ../.git/modules/module\n');
  expect([top, web, module].map(folderInTree)).toEqual(['', 'packages/web', 'src']);
});

test('a .git file that leads nowhere makes no repository', () => {
  const folder = temporaryFolder();
  const before = new BoardDirectory(folder, {}).path;
  writeFileSync(path.join(folder, '.git'), 'gitdir: /nowhere/at/all\n');
  expect(new BoardDirectory(folder, {}).path).toBe(before);
});

test('on machines a board has one name for ever, and no other board has it', () => {
  const [one, other, env] = [
    temporaryFolder(),
    temporaryFolder(),
    { INTERLOCK_STATE_DIR: temporaryFolder() },
  ];
  for (const folder of [one, other]) new BoardDirectory(folder, env).create();
  const name = new BoardDirectory(one, env).machineName;
  expect(name).toMatch(/^[0-9a-f]{12}$/);
  expect(new BoardDirectory(one, env).machineName).toBe(name);
  expect(new BoardDirectory(other, env).machineName).not.toBe(name);
});

test('a damaged name is replaced', () => {
  const directory = new BoardDirectory(temporaryFolder(), {
    INTERLOCK_STATE_DIR: temporaryFolder(),
  });
  directory.create();
  writeFileSync(path.join(directory.path, 'machine'), '../x');
  expect(directory.machineName).toMatch(/^[0-9a-f]{12}$/);
});

/** A repository whose board is in a state directory of its own, as the environment moved it. */
function repositoryWithBoard(): { readonly top: string; readonly board: BoardDirectory } {
  const top = temporaryFolder();
  mkdirSync(path.join(top, '.git'));
  const board = new BoardDirectory(top, { INTERLOCK_STATE_DIR: temporaryFolder() });
  board.create();
  return { top, board };
}

test('a program with another environment finds the board of a repository', () => {
  const { top, board } = repositoryWithBoard();
  expect(new BoardDirectory(top, {}).path).toBe(board.path);
  const elsewhere = { XDG_STATE_HOME: temporaryFolder() };
  expect(new BoardDirectory(top, elsewhere).path).toBe(board.path);
  const own = temporaryFolder();
  const onPurpose = new BoardDirectory(top, { INTERLOCK_STATE_DIR: own });
  expect(onPurpose.path.startsWith(own)).toBe(true);
});

test('a copy of a repository has a board of its own', () => {
  const { top, board } = repositoryWithBoard();
  const copy = path.join(temporaryFolder(), 'copy');
  cpSync(top, copy, { recursive: true });
  expect(new BoardDirectory(copy, {}).path).not.toBe(board.path);
});

test('a state directory that others can write, or that does not know the repository, is not believed', () => {
  const { top, board } = repositoryWithBoard();
  const home = path.dirname(path.dirname(board.path));
  chmodSync(home, 0o777);
  expect(new BoardDirectory(top, {}).path).not.toBe(board.path);
  chmodSync(home, 0o700);
  expect(new BoardDirectory(top, {}).path).toBe(board.path);
  const pointer = path.join(top, '.git', 'interlock-state');
  expect(readFileSync(pointer, 'utf8')).toBe(`${home}\n`);
  for (const text of [temporaryFolder(), 'here', '', 'x'.repeat(10_000)]) {
    writeFileSync(pointer, text);
    expect(new BoardDirectory(top, {}).path).not.toBe(board.path);
  }
});
