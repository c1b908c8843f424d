import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { BoardDirectory } from '../../../server/system/board-directory.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Folders, of which some are the tops of repositories, and the boards of them. */
class Workspace {
  readonly folder = temporaryFolder();
  readonly #env = { INTERLOCK_STATE_DIR: temporaryFolder() };

  make(name: string, { isRepository = false } = {}): string {
    const folder = path.join(this.folder, name);
    mkdirSync(folder, { recursive: true });
    if (isRepository) mkdirSync(path.join(folder, '.git'));
    return folder;
  }

  open(name: string): BoardDirectory {
    const directory = new BoardDirectory(path.join(this.folder, name), this.#env);
    directory.create();
    return directory;
  }

  /** As somebody who decides for its board. */
  work(name: string): () => void {
    const token = path.join(this.open(name).path, 'token');
    writeFileSync(token, '');
    return () => rmSync(token);
  }

  neighbours(name: string): string | undefined {
    return this.open(name).neighbours?.replaceAll(`${this.folder}/`, '');
  }
}

const NESTED = /^The folder a\/b lies inside a, and each has a board of its own that is in use/;

for (const isRepository of [false, true])
  test(`a folder in another one that has a board is said to be, from both sides (${isRepository ? 'repositories' : 'folders'})`, () => {
    const workspace = new Workspace();
    workspace.make('a', { isRepository });
    workspace.make('a/b', { isRepository });
    const end = workspace.work('a');
    expect(workspace.neighbours('a/b')).toMatch(NESTED);
    end();
    expect(workspace.neighbours('a/b')).toBeUndefined();
    workspace.work('a/b');
    expect(workspace.neighbours('a')).toMatch(NESTED);
  });

test('folders beside each other, and those of one repository, are nothing to speak of', () => {
  const workspace = new Workspace();
  for (const name of ['a', 'ab', 'c/a', '..b']) workspace.make(name);
  workspace.make('one', { isRepository: true });
  workspace.make('one/inner');
  for (const name of ['a', 'one']) workspace.work(name);
  const notices = ['a', 'ab', 'c/a', '..b', 'one', 'one/inner'].map((name) =>
    workspace.neighbours(name),
  );
  expect(notices.filter((notice) => notice !== undefined)).toEqual([]);
});

test('a link to a folder is that folder', () => {
  const workspace = new Workspace();
  workspace.make('a');
  workspace.make('a/b');
  symlinkSync(path.join(workspace.folder, 'a', 'b'), path.join(workspace.folder, 'link'));
  workspace.work('a');
  expect(workspace.neighbours('link')).toMatch(NESTED);
});

test('a worktree somewhere else belongs to the board, and so does what lies in it', () => {
  const workspace = new Workspace();
  workspace.make('top', { isRepository: true });
  const own = workspace.make('top/.git/worktrees/tree');
  writeFileSync(path.join(own, 'commondir'), '../..\n');
  const tree = workspace.make('a');
  writeFileSync(path.join(tree, '.git'), `gitdir: ${own}\n`);
  workspace.make('a/b', { isRepository: true });
  expect(workspace.open('a').path).toBe(workspace.open('top').path);
  workspace.work('top');
  expect(workspace.neighbours('a/b')).toMatch(NESTED);
});
