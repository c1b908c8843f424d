import { chmodSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { mkdir, rename, rm, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { filesIn, SyncBench } from './sync-bench.ts';

test('a repository without commits is sent, and what comes back begins a branch', async () => {
  const bench = new SyncBench();
  bench.git('init', '-q');
  bench.write({ 'a.txt': 'a' });
  const folder = await bench.prepare();
  expect(filesIn(folder)).toEqual({ 'a.txt': 'a' });
  bench.write({ 'b.txt': 'b' }, folder);
  await bench.collect();
  expect(bench.git('ls-tree', '--name-only', 'interlock/api/1')).toBe('b.txt');
});

test('a repository without any files is sent', async () => {
  const bench = new SyncBench();
  bench.git('init', '-q');
  expect(filesIn(await bench.prepare())).toEqual({});
  expect(await bench.collect()).toEqual([]);
});

test('a detached working tree beside others is sent as it is', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a' });
  const root = path.join(bench.root, 'here', 'beside');
  bench.git('worktree', 'add', '-q', '--detach', root);
  bench.write({ 'a.txt': 'beside', 'b.txt': 'b' }, root);
  const folder = await bench.prepare(1, { root });
  expect(filesIn(folder)).toEqual(filesIn(root));
  bench.write({ 'c.txt': 'c' }, folder);
  await bench.collect({ root });
  expect(bench.git('diff', '--name-only', 'main', 'interlock/api/1')).toBe('c.txt');
});

test('a plan in a sub-folder runs in that folder, and its outputs come back there', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a', 'web/ui/b.txt': 'b', '.gitignore': 'out' });
  const root = path.join(bench.tree, 'web');
  const folder = await bench.prepare(1, { root, cwd: 'ui' });
  expect(filesIn(folder)).toEqual({ 'b.txt': 'b' });
  bench.write({ 'out/x': 'x' }, folder);
  bench.write({ 'out/y': 'y' }, path.join(folder, '..'));
  expect(await bench.collect({ root, outputs: ['ui/out/**'] })).toEqual([]);
  expect(filesIn(root)).toEqual({ 'ui/b.txt': 'b', 'ui/out/x': 'x' });
});

test('a folder that is no repository is refused', async () => {
  const bench = new SyncBench();
  expect(await bench.refusal()).toMatch(
    /^Interlock cannot send .*: not a git repository .*"rsync" or "none"/,
  );
});

test('a folder that was not sent is named', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a', '.gitignore': 'out' });
  bench.write({ 'out/x': 'x' });
  expect(await bench.refusal(1, { cwd: 'out' })).toBe(
    'The files of the task did not get to build-1: there is no folder "out" in what was sent: git ignores it, or it is empty.',
  );
});

test.each([
  ['history', ['--depth', '1']],
  ['what is checked out', ['--filter=blob:none', '--sparse']],
])('where only %s is here, it is sent by itself', async (_, options) => {
  const bench = new SyncBench();
  const origin = path.join(bench.root, 'origin');
  await mkdir(origin);
  bench.gitIn(origin, 'init', '-q', '-b', 'main');
  bench.gitIn(origin, 'config', 'uploadpack.allowFilter', 'true');
  for (const text of ['1', '2', '3']) {
    bench.write({ 'a.txt': text, 'b/c.txt': text }, origin);
    bench.gitIn(origin, 'add', '-A');
    bench.gitIn(origin, 'commit', '-q', '-m', text);
  }
  bench.gitIn(origin, 'clone', '-q', ...options, `file://${origin}`, bench.tree);
  const folder = await bench.prepare();
  expect(filesIn(folder)).toEqual(filesIn(bench.tree));
  bench.write({ 'a.txt': '4', 'd.txt': 'd' }, folder);
  await bench.collect();
  expect(bench.git('rev-parse', 'interlock/api/1^')).toBe(bench.git('rev-parse', 'HEAD'));
  expect(bench.git('diff', '--name-only', 'HEAD', 'interlock/api/1')).toBe('a.txt\nd.txt');
});

test('a repository of longer hashes is sent and comes back', async () => {
  const bench = new SyncBench();
  bench.git('init', '-q', '-b', 'main', '--object-format=sha256');
  bench.commit({ 'a.txt': 'a' });
  const folder = await bench.prepare();
  bench.write({ 'a.txt': 'b' }, folder);
  await bench.collect();
  expect(bench.git('show', 'interlock/api/1:a.txt')).toBe('b');
});

test('repositories in the tree are left out, and named', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a' });
  for (const name of ['inner', 'empty -dash']) {
    await mkdir(path.join(bench.tree, name));
    bench.gitIn(path.join(bench.tree, name), 'init', '-q');
  }
  bench.write({ 'b.txt': 'b' }, path.join(bench.tree, 'inner'));
  bench.gitIn(path.join(bench.tree, 'inner'), 'add', '-A');
  bench.gitIn(path.join(bench.tree, 'inner'), 'commit', '-q', '-m', 'inner');
  const prepared = await bench.sync.prepare(bench.place, {
    root: bench.tree,
    cwd: '',
    reads: [],
    term: 1,
  });
  expect(prepared).toMatchObject({
    notices: [
      'Not sent, because each is a repository of its own: empty -dash, inner. A task there that needs a submodule has to fetch it.',
    ],
  });
  const folder = path.join(bench.trees, 't', '1');
  expect(filesIn(folder)).toEqual({ 'a.txt': 'a' });

  bench.gitIn(folder, 'clone', '-q', '.', 'cloned');
  const notices = await bench.collect();
  expect(notices).toEqual([
    'api has made repositories of their own on build-1, which do not come back: cloned.',
  ]);
});

test('what git tracks is sent though it is ignored, and what it does not track any more is not', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a', 'kept.log': 'log', '.gitignore': '' });
  await bench.prepare(1);
  bench.write({ '.gitignore': '*.log\n*.env\n', 'new.env': 'tracked', 'a.env': 'secret' });
  bench.git('add', '-f', 'new.env');
  expect(filesIn(await bench.prepare(2))).toEqual({
    '.gitignore': '*.log\n*.env\n',
    'a.txt': 'a',
    'kept.log': 'log',
    'new.env': 'tracked',
  });
  bench.git('rm', '-q', '--cached', 'new.env', 'kept.log');
  expect(Object.keys(filesIn(await bench.prepare(3)))).toEqual(['.gitignore', 'a.txt']);
});

test('what the user ignores everywhere is not sent', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a' });
  bench.write({ 'a.swp': 's', 'b.orig': 'o' });
  bench.write({ '.config/git/ignore': '*.swp\n' }, bench.env.HOME);
  bench.write({ '.git/info/exclude': '*.orig\n' });
  expect(filesIn(await bench.prepare())).toEqual({ 'a.txt': 'a' });
});

test('files become folders and links, and folders and links become files', async () => {
  const bench = new SyncBench();
  bench.commit({ 'folder/x': 'x', file: 'f', 'other/y': 'y' });
  symlinkSync('other', path.join(bench.tree, 'link'));
  expect(filesIn(await bench.prepare(1))).toEqual(filesIn(bench.tree));
  await rename(path.join(bench.tree, 'folder'), path.join(bench.tree, 'moved'));
  symlinkSync('moved', path.join(bench.tree, 'folder'));
  await unlink(path.join(bench.tree, 'file'));
  await unlink(path.join(bench.tree, 'link'));
  bench.write({ 'file/z': 'z', 'link/w': 'w' });
  const folder = await bench.prepare(2);
  expect(filesIn(folder)).toEqual(filesIn(bench.tree));

  await rm(path.join(folder, 'file'), { recursive: true });
  await writeFile(path.join(folder, 'file'), 'again');
  await rename(path.join(folder, 'other'), path.join(folder, 'elsewhere'));
  symlinkSync('elsewhere', path.join(folder, 'other'));
  await bench.collect({ term: 2 });
  expect(bench.git('ls-tree', '-r', '--name-only', 'interlock/api/2').split('\n')).toEqual([
    'elsewhere/y',
    'file',
    'folder/x',
    'other',
  ]);
});

test('modes and line ends are what git makes of them', async () => {
  const bench = new SyncBench();
  bench.commit({ 'run.sh': '#!/bin/sh\n', '.gitattributes': '*.bat eol=crlf\n' });
  chmodSync(path.join(bench.tree, 'run.sh'), 0o755);
  bench.write({ 'a.bat': 'one\r\ntwo\r\n' });
  const folder = await bench.prepare();
  expect(statSync(path.join(folder, 'run.sh')).mode & 0o111).toBe(0o111);
  expect(filesIn(folder)['a.bat']).toBe('one\r\ntwo\r\n');
  bench.write({ 'a.bat': 'three\r\n' }, folder);
  expect(await bench.collect({ outputs: ['*.bat'] })).toEqual([]);
  expect(filesIn(bench.tree)['a.bat']).toBe('three\r\n');
});

test('large files are sent and come back', { timeout: 120_000 }, async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a', '.gitignore': 'out' });
  const large = Buffer.alloc(110 * 2 ** 20, 'interlock ');
  await writeFile(path.join(bench.tree, 'large'), large);
  const folder = await bench.prepare();
  expect(readFileSync(path.join(folder, 'large')).equals(large)).toBe(true);
  await rename(path.join(folder, 'large'), path.join(folder, 'out'));
  await bench.collect({ outputs: ['out'] });
  expect(readFileSync(path.join(bench.tree, 'out')).equals(large)).toBe(true);
});

test('a file that cannot be read is named', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a' });
  bench.git('config', 'core.bare', 'maybe');
  expect(await bench.refusal()).toContain('bad boolean config value');
  expect(existsSync(bench.trees) && readdirSync(bench.trees)).toBe(false);
});
