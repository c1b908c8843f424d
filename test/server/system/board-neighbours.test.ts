import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

  /** As a process that decides for its board. */
  work(name: string): () => void {
    const mark = path.join(this.open(name).path, 'used');
    writeFileSync(mark, '');
    return () => rmSync(mark);
  }

  neighbours(name: string): string | undefined {
    return this.#short(this.open(name).neighbours(isUsed));
  }

  conflict(name: string): string | undefined {
    return this.#short(this.open(name).conflict(isUsed));
  }

  #short(sentence: string | undefined): string | undefined {
    return sentence?.replaceAll(`${this.folder}/`, '');
  }
}

function isUsed(directory: string): boolean {
  return existsSync(path.join(directory, 'used'));
}

const NESTED = /^The repository a\/b lies inside a, and each has a board of its own that is in use/;

test('a repository in another folder that has a board is said to be, from both sides, and runs', () => {
  const workspace = new Workspace();
  workspace.make('a');
  workspace.make('a/b', { isRepository: true });
  const end = workspace.work('a');
  expect(workspace.neighbours('a/b')).toMatch(NESTED);
  expect(workspace.conflict('a/b')).toBeUndefined();
  end();
  expect(workspace.neighbours('a/b')).toBeUndefined();
  workspace.work('a/b');
  expect(workspace.neighbours('a')).toMatch(NESTED);
  expect(workspace.conflict('a')).toBeUndefined();
});

test('a folder in another one is refused while the board of that one is in use, and the other way round', () => {
  const workspace = new Workspace();
  workspace.make('a');
  workspace.make('a/b');
  const end = workspace.work('a');
  expect(workspace.conflict('a/b')).toMatch(
    /^Nothing runs in a\/b, because another board of Interlock is in use for a, and both have the same files\./,
  );
  expect(workspace.neighbours('a/b')).toBeUndefined();
  end();
  expect(workspace.conflict('a/b')).toBeUndefined();
  workspace.work('a/b');
  expect(workspace.conflict('a')).toMatch(/^Nothing runs in .*, because .* in use for a\/b,/);
});

test('a folder below one that becomes a repository is refused while its own board is in use', () => {
  const workspace = new Workspace();
  workspace.make('a/b');
  const end = workspace.work('a/b');
  workspace.make('a', { isRepository: true });
  expect(workspace.open('a/b').path).toBe(workspace.open('a').path);
  expect(workspace.conflict('a')).toMatch(/in use for a\/b/);
  end();
  expect(workspace.conflict('a')).toBeUndefined();
});

test('folders beside each other, and those of one repository, are nothing to speak of', () => {
  const workspace = new Workspace();
  for (const name of ['a', 'ab', 'c/a', '..b']) workspace.make(name);
  workspace.make('one', { isRepository: true });
  workspace.make('one/inner');
  for (const name of ['a', 'one']) workspace.work(name);
  const names = ['a', 'ab', 'c/a', '..b', 'one', 'one/inner'];
  const notices = names.flatMap((name) => [workspace.neighbours(name), workspace.conflict(name)]);
  expect(notices.filter((notice) => notice !== undefined)).toEqual([]);
});

test('a folder that was replaced is not in the way of the new one', () => {
  const workspace = new Workspace();
  workspace.make('a/b');
  workspace.work('a/b');
  renameSync(path.join(workspace.folder, 'a/b'), path.join(workspace.folder, 'elsewhere'));
  workspace.make('a/b');
  expect(workspace.conflict('a')).toBeUndefined();
});

test('a link to a folder is that folder', () => {
  const workspace = new Workspace();
  workspace.make('a');
  workspace.make('a/b');
  symlinkSync(path.join(workspace.folder, 'a', 'b'), path.join(workspace.folder, 'link'));
  workspace.work('a');
  expect(workspace.conflict('link')).toMatch(/in use for a,/);
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
