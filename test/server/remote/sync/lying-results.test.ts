import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { EvilHost } from './evil-objects.ts';
import { filesIn, SyncBench } from './sync-bench.ts';

const hasRsync = spawnSync('rsync', ['--version']).status === 0;

async function evilBench(): Promise<{ readonly bench: SyncBench; readonly host: EvilHost }> {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a', '.gitignore': 'out\n' });
  await bench.prepare();
  return { bench, host: new EvilHost(bench) };
}

/** Nothing of what was refused may be found here under any name. */
function expectUntouched(bench: SyncBench): void {
  expect(filesIn(bench.tree)).toEqual({ 'a.txt': 'a', '.gitignore': 'out\n' });
  expect(bench.git('branch', '--list', 'interlock/*')).toBe('');
  const store = path.join(bench.state, 'board-1');
  const references = execFileSync('git', ['for-each-ref', '--format=%(refname)'], {
    env: { ...bench.env, GIT_DIR: store },
    encoding: 'utf8',
  });
  expect(references).not.toContain('refs/interlock/1/result');
  expect(readdirSync(store).filter((name) => /quarantine|\.result$/.test(name))).toEqual([]);
}

test.each(['.git', '.GIT', 'git~1', '.git::$INDEX_ALLOCATION', '.git ', '..', '.', '', 'a/b'])(
  'a result with a folder called %j is refused before it has a reference',
  async (name) => {
    const { bench, host } = await evilBench();
    const hooks = host.tree(['100755', 'pre-commit', host.blob('#!/bin/sh\ntouch pwned\n')]);
    host.claim(host.tree(['40000', name, host.tree(['40000', 'hooks', hooks])]));
    await expect(bench.collect({ outputs: ['**'] })).rejects.toThrow(
      'what came back is not taken here: ',
    );
    expectUntouched(bench);
  },
);

test('so is one with two files of one name', async () => {
  const { bench, host } = await evilBench();
  const blob = host.blob('x');
  host.claim(host.tree(['100644', 'a', blob], ['100644', 'a', blob]));
  await expect(bench.collect({ outputs: ['**'] })).rejects.toThrow('is not taken here');
  expectUntouched(bench);
});

test.each([
  ['is a link to another repository', (home: string) => `gitdir: ${home}/other/.git\n`],
  ['is something else', () => 'x'.repeat(5000)],
])('a bundle that %s is refused, and git does not see it', async (_, text) => {
  const { bench, host } = await evilBench();
  host.claimBundle(text(bench.root));
  await expect(bench.collect({ outputs: ['**'] })).rejects.toThrow('it is no bundle of git');
  expectUntouched(bench);
});

test('a bundle of 9 PB is refused before any of it comes', async () => {
  const { bench, host } = await evilBench();
  host.claimBundle('x', { bytes: 9_000_000_000_000_000 });
  await expect(bench.collect({ outputs: ['**'] })).rejects.toThrow(
    /what came back has \d+ GiB, and at most 8 GiB are taken/,
  );
  expectUntouched(bench);
});

test('a bundle that is shorter than was said is refused', async () => {
  const { bench, host } = await evilBench();
  host.claimBundle('x', { bytes: 100_000 });
  await expect(bench.collect({ outputs: ['**'] })).rejects.toThrow(
    'what it has made cannot be read',
  );
  expectUntouched(bench);
});

test('a small result of endless files is refused', async () => {
  const { bench, host } = await evilBench();
  let tree = host.tree(['100644', 'f', host.blob('x')]);
  for (let level = 0; level < 10; level += 1) {
    const inside = tree;
    tree = host.tree(
      ...Array.from({ length: 10 }, (_, at) => ['40000', `${at}`.repeat(20), inside] as const),
    );
  }
  host.claim(tree);
  await expect(bench.collect({ outputs: ['**'] })).rejects.toThrow('git lists more than 128 MiB');
  expectUntouched(bench);
});

test('a small result of huge files is refused before they are written', async () => {
  const { bench, host } = await evilBench();
  const blob = host.blob(Buffer.alloc(64 * 1024 * 1024));
  const files = Array.from({ length: 600 }, (_, at) => `f${String(at).padStart(3, '0')}`);
  host.claim(host.tree(...files.map((name) => ['100644', name, blob] as const)));
  await expect(bench.collect({ outputs: ['**'] })).rejects.toThrow(
    /unpacked, has 38 GiB, and at most 32 GiB are taken/,
  );
  expect(existsSync(bench.keptFolder)).toBe(false);
  expect(filesIn(bench.tree)).toEqual({ 'a.txt': 'a', '.gitignore': 'out\n' });
});

test('a link is judged by where it leads through others, and none leads to git', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a', '.gitignore': 'out\nvendor\n' });
  mkdirSync(path.join(bench.root, 'outside'));
  symlinkSync('../../outside', path.join(bench.tree, 'vendor'));
  const folder = await bench.prepare();
  mkdirSync(path.join(folder, 'out'));
  const links = {
    near: '../a.txt',
    vendor: '../vendor/secret',
    up: '..',
    away: 'up/../outside',
    config: '../.git/config',
    hooks: '../.GIT/hooks',
  };
  for (const [name, to] of Object.entries(links)) symlinkSync(to, path.join(folder, 'out', name));
  expect(await bench.collect({ outputs: ['out/**'] })).toEqual([
    expect.stringMatching(/^Not put here: out\/\w+ and 3 more, /),
  ]);
  expect(filesIn(path.join(bench.tree, 'out'))).toEqual({ near: '-> ../a.txt', up: '-> ..' });
});

test('no link that leads out is on the branch, and no submodule', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a' });
  const folder = await bench.prepare();
  symlinkSync('..', path.join(folder, 'up'));
  symlinkSync('a.txt', path.join(folder, 'near'));
  const head = bench.gitIn(folder, 'rev-parse', 'HEAD');
  bench.gitIn(folder, 'update-index', '--add', '--cacheinfo', `160000,${head},module`);
  bench.gitIn(folder, 'commit', '-q', '-m', 'Add a module');
  expect(await bench.collect()).toEqual([
    expect.stringMatching(
      /^Not on the branch: up, which api has made on build-1, because it is a link/,
    ),
    'What else api changed on build-1 is on the branch interlock/api/1.',
  ]);
  expect(bench.git('ls-tree', '-r', '--name-only', 'interlock/api/1')).toBe('a.txt\nnear');
  expect(bench.git('log', '--format=%s', 'main..interlock/api/1')).toBe(
    'What api changed on build-1',
  );
});

test.runIf(hasRsync)("rsync brings no file that is called like git's own folder", async () => {
  const bench = new SyncBench();
  bench.host = { ...bench.host, sync: 'rsync' };
  bench.write({ 'a.txt': 'a' });
  const folder = await bench.prepare();
  bench.write({ 'out/.GIT/hooks/x': 'x', 'out/git~1/x': 'x', 'out/fine': 'fine' }, folder);
  execFileSync('mkfifo', [path.join(folder, 'out', 'pipe')]);
  mkdirSync(path.join(bench.tree, '.git'));
  symlinkSync('../.git', path.join(folder, 'out', 'git'));
  const notices = await bench.collect({ outputs: ['out/**'] });
  expect(notices).toEqual([
    expect.stringMatching(/^Not put here: out\/git, /),
    expect.stringMatching(/^Not taken: out\/(?:\.GIT|git~1) and 1 more, /),
  ]);
  expect(filesIn(bench.tree)).toEqual({ 'a.txt': 'a', 'out/fine': 'fine' });
});
