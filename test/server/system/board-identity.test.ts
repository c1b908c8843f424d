import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BoardDirectory } from '../../../server/system/board-directory.ts';
import { namedFolder } from '../../../server/system/find-board.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

class Disk {
  readonly folder = temporaryFolder();
  readonly env = { INTERLOCK_STATE_DIR: temporaryFolder() };

  at(name: string): string {
    return path.join(this.folder, name);
  }

  /** Another folder than any that was made before, also where the clock of the disk is coarse. */
  make(name: string): string {
    const folder = this.at(name);
    const before = statSync(this.folder, { bigint: true }).ctimeNs;
    do {
      if (existsSync(folder)) rmSync(folder, { recursive: true });
      mkdirSync(folder, { recursive: true });
    } while (statSync(folder, { bigint: true }).birthtimeNs === before);
    return folder;
  }

  git(name: string, ...args: readonly string[]): void {
    const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
    execFileSync('git', [...identity, ...args], { cwd: this.at(name), stdio: 'ignore' });
  }

  /** The name of the board that a folder gets when it is opened. */
  open(name: string): string {
    const directory = new BoardDirectory(this.at(name), this.env);
    directory.create();
    return path.basename(directory.path);
  }

  movedFrom(name: string): string | undefined {
    return new BoardDirectory(this.at(name), this.env).movedFrom;
  }
}

function checkKeeps(name: string, change: (disk: Disk) => string): void {
  test(`${name} keeps its board`, () => {
    const disk = new Disk();
    disk.make('app');
    const before = disk.open('app');
    expect(disk.open(change(disk))).toBe(before);
  });
}

checkKeeps('a folder that becomes a repository', (disk) => {
  disk.git('app', 'init');
  return 'app';
});

checkKeeps('a folder that was renamed', (disk) => {
  renameSync(disk.at('app'), disk.at('other'));
  return 'other';
});

checkKeeps('a folder that becomes a repository, and is renamed then', (disk) => {
  disk.git('app', 'init');
  renameSync(disk.at('app'), disk.at('other'));
  return 'other';
});

checkKeeps('a folder below one that was renamed', (disk) => {
  const board = disk.make('outer/app');
  disk.open('outer/app');
  renameSync(board, disk.at('outer/was'));
  rmSync(disk.at('outer/was'), { recursive: true });
  renameSync(disk.at('app'), disk.at('outer/app'));
  renameSync(disk.at('outer'), disk.at('outside'));
  return 'outside/app';
});

checkKeeps('a repository of which .git was removed', (disk) => {
  disk.git('app', 'init');
  disk.open('app');
  rmSync(disk.at('app/.git'), { recursive: true });
  return 'app';
});

checkKeeps('a repository of which .git was made again', (disk) => {
  for (let round = 0; round < 2; round += 1) {
    disk.git('app', 'init');
    disk.open('app');
    rmSync(disk.at('app/.git'), { recursive: true });
  }
  disk.git('app', 'init');
  return 'app';
});

checkKeeps('a repository of which .git was moved elsewhere', (disk) => {
  disk.git('app', 'init');
  disk.git('app', 'init', '--separate-git-dir', disk.at('git'));
  return 'app';
});

checkKeeps('a worktree of a repository', (disk) => {
  disk.git('app', 'init');
  disk.git('app', 'commit', '--allow-empty', '-m', 'first');
  disk.git('app', 'worktree', 'add', disk.at('tree'));
  disk.open('tree');
  disk.git('app', 'worktree', 'move', disk.at('tree'), disk.at('moved'));
  return 'moved';
});

test('a copy of a repository gets a board of its own', () => {
  const disk = new Disk();
  disk.make('app');
  disk.git('app', 'init');
  const before = disk.open('app');
  execFileSync('cp', ['-a', disk.at('app'), disk.at('copy')]);
  expect(disk.open('copy')).not.toBe(before);
  expect(disk.open('app')).toBe(before);
});

test('a new folder at the path of a renamed one gets a board of its own', () => {
  const disk = new Disk();
  disk.make('app');
  const before = disk.open('app');
  renameSync(disk.at('app'), disk.at('was'));
  disk.make('app');
  const next = disk.open('app');
  expect(next).not.toBe(before);
  expect([disk.open('app'), disk.open('was')]).toEqual([next, before]);
});

test('a submodule has a board of its own', () => {
  const disk = new Disk();
  disk.make('library');
  disk.git('library', 'init');
  disk.git('library', 'commit', '--allow-empty', '-m', 'first');
  disk.make('app');
  disk.git('app', 'init');
  const allowed = ['-c', 'protocol.file.allow=always'];
  disk.git('app', ...allowed, 'submodule', 'add', disk.at('library'), 'library');
  const boards = ['app', 'app/library', 'library'].map((name) => disk.open(name));
  expect(new Set(boards).size).toBe(3);
});

test('a board that was named after its path before folders were noted is found again', () => {
  const disk = new Disk();
  for (const name of ['app', 'later']) {
    disk.make(name);
    const board = disk.open(name);
    const directory = path.join(disk.env.INTERLOCK_STATE_DIR, 'boards', board);
    rmSync(path.join(directory, 'tree'));
    rmSync(path.join(disk.env.INTERLOCK_STATE_DIR, 'trees'), { recursive: true });
    // It may have become a repository in the meantime.
    if (name === 'later') disk.git(name, 'init');
    expect(disk.open(name)).toBe(board);
  }
});

test('looking for a board notes nothing', () => {
  const disk = new Disk();
  disk.make('app');
  expect(path.basename(new BoardDirectory(disk.at('app'), disk.env).path)).toMatch(/^app-/);
  expect(readdirSync(disk.env.INTERLOCK_STATE_DIR)).toEqual([]);
});

test('a folder that was renamed says where it was until that is taken in', () => {
  const disk = new Disk();
  disk.make('app');
  disk.open('app');
  expect(disk.movedFrom('app')).toBeUndefined();
  renameSync(disk.at('app'), disk.at('other'));
  disk.open('other');
  expect(disk.movedFrom('other')).toBe(disk.at('app'));
  new BoardDirectory(disk.at('other'), disk.env).moved();
  expect(disk.movedFrom('other')).toBeUndefined();
});

test('a damaged note is written again', () => {
  const disk = new Disk();
  disk.make('app');
  const board = disk.open('app');
  const notes = path.join(disk.env.INTERLOCK_STATE_DIR, 'trees');
  for (const name of readdirSync(notes)) writeFileSync(path.join(notes, name), '{"x":');
  expect(disk.open('app')).toBe(board);
});

const canMount = process.platform === 'linux' && process.getuid?.() === 0;

test.runIf(canMount)(
  'a folder that is mounted at two paths is one folder, named as it was first',
  () => {
    const disk = new Disk();
    const [app, other] = [disk.make('app'), disk.make('other')];
    mkdirSync(path.join(app, 'web'));
    const board = disk.open('app');
    execFileSync('mount', ['--bind', app, other]);
    onTestFinished(() => void execFileSync('umount', [other]));
    expect(disk.open('other')).toBe(board);
    expect(disk.movedFrom('other')).toBeUndefined();
    expect(namedFolder(path.join(other, 'web'), disk.env)).toBe(path.join(app, 'web'));
  },
);
