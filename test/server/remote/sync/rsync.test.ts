import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { localLink } from '../../../../server/remote/local-link.ts';
import { sshLink } from '../../../../server/remote/ssh/ssh-link.ts';
import { Sshd } from '../../../support/sshd.ts';
import { filesIn, SyncBench } from './sync-bench.ts';
import { withHome } from './link-wrappers.ts';

const hasRsync = spawnSync('rsync', ['--version']).status === 0;

function rsyncBench(): SyncBench {
  const bench = new SyncBench();
  bench.host = { ...bench.host, sync: 'rsync' };
  return bench;
}

const HOSTILE = ['line\nbreak', '-e touch pwned', "it's", '$(touch pwned)', 'ü ☃', '*', '[a]'];

test.runIf(hasRsync)(
  'a folder that is no repository gets there, and outputs come back',
  async () => {
    const bench = rsyncBench();
    bench.write(Object.fromEntries(HOSTILE.map((name) => [`in/${name}`, name])));
    bench.write({ '.gitignore': 'secret\n', secret: 's', 'same.txt': 'sent', 'mine.txt': 'sent' });
    const folder = await bench.prepare();
    const { secret: _, ...sent } = filesIn(bench.tree);
    expect(filesIn(folder)).toEqual(sent);

    bench.write(Object.fromEntries(HOSTILE.map((name) => [`out/${name}`, name])), folder);
    bench.write({ 'same.txt': 'made', 'mine.txt': 'made', 'other.txt': 'made' }, folder);
    bench.write({ 'mine.txt': 'mine' });
    const outputs = ['out/**', 'same.txt', 'mine.txt', 'missing/**'];
    expect(await bench.collect({ outputs, artifacts: ['other.*'] })).toEqual([
      `Not put here: mine.txt, which api has made on build-1, because the file here has changed meanwhile. It is in ${bench.keptFolder}/outputs.`,
    ]);
    expect(filesIn(bench.tree)).toEqual({
      ...filesIn(bench.tree),
      ...Object.fromEntries(HOSTILE.map((name) => [`out/${name}`, name])),
      'same.txt': 'made',
      'mine.txt': 'mine',
    });
    expect(filesIn(bench.keptFolder)).toEqual({
      'artifacts/other.txt': 'made',
      'outputs/mine.txt': 'made',
    });
    expect(Object.keys(filesIn(bench.root)).filter((name) => /(^|\/)pwned$/.test(name))).toEqual(
      [],
    );
  },
);

test.runIf(hasRsync)('no link leads out, and nothing is written through one', async () => {
  const bench = rsyncBench();
  const outside = path.join(bench.root, 'outside');
  mkdirSync(outside);
  bench.write({ 'a.txt': 'a' });
  const folder = await bench.prepare();
  symlinkSync(outside, path.join(bench.tree, 'dist'));
  bench.write({ 'dist/x': 'x' }, folder);
  mkdirSync(path.join(folder, 'out'));
  symlinkSync(outside, path.join(folder, 'out', 'away'));
  symlinkSync('../a.txt', path.join(folder, 'out', 'near'));
  expect(await bench.collect({ outputs: ['out/**', 'dist/**'] })).toHaveLength(1);
  expect(filesIn(outside)).toEqual({});
  expect(filesIn(bench.tree)).toEqual({
    'a.txt': 'a',
    dist: `-> ${outside}`,
    'out/near': '-> ../a.txt',
  });
});

test.runIf(hasRsync)('trees stand beside each other, and are removed', async () => {
  const bench = rsyncBench();
  bench.write({ 'a.txt': 'a', 'b.txt': 'b' });
  const first = await bench.prepare(1);
  bench.write({ 'a.txt': 'task' }, first);
  bench.write({ 'b.txt': 'changed', 'c/d': 'd' });
  const second = await bench.prepare(2, { cwd: 'c' });
  expect(filesIn(path.dirname(second))).toEqual({ 'a.txt': 'a', 'b.txt': 'changed', 'c/d': 'd' });
  expect(await bench.prepare(1)).toBe(first);
  expect(filesIn(first)['a.txt']).toBe('task');
  await bench.sync.discard(bench.place, [1]);
  expect(await bench.sync.terms(bench.place)).toEqual([2]);
});

test.runIf(hasRsync)('rsync reaches a machine as ssh would, and asks nobody', async () => {
  const sshd = await Sshd.start({ settings: [`SetEnv PATH=${process.env.PATH}`] });
  onTestFinished(async () => await sshd.stop());
  const bench = rsyncBench();
  bench.sshOptions = ['-F', sshd.configFile];
  bench.host = { ...bench.host, ssh: 'box', folder: '~/a folder' };
  const link = sshLink('box', { env: process.env, configFile: sshd.configFile });
  onTestFinished(() => link.close());
  bench.link = withHome(link, bench.homeThere);
  bench.reopen();
  bench.write({ "it's a.txt": 'a' });
  const folder = await bench.prepare();
  expect(filesIn(folder)).toEqual(filesIn(bench.tree));
  bench.write({ 'out x': 'x' }, folder);
  expect(await bench.collect({ outputs: ['out*'] })).toEqual([]);
  expect(filesIn(bench.tree)['out x']).toBe('x');

  sshd.know([]);
  expect(await bench.refusal(2)).toMatch(/did not get to build-1: rsync says: /);
});

describe.skipIf(!hasRsync)('the words that ssh is started with by rsync', () => {
  const ALWAYS = '-o ServerAliveInterval=15 -o ServerAliveCountMax=3';
  for (const [ssh, words] of [
    ['box', `${ALWAYS} -v box rsync`],
    ['kim@box', `${ALWAYS} -v -l kim box rsync`],
    ['ssh://kim@box:2222', `${ALWAYS} -p 2222 -v -l kim box rsync`],
    ['ssh://box', `${ALWAYS} -v box rsync`],
    ['::1', `${ALWAYS} -v ::1 rsync`],
    ['ssh://kim@[::1]:2222', `${ALWAYS} -p 2222 -v -l kim ::1 rsync`],
  ] as const)
    test(ssh, async () => {
      const bench = rsyncBench();
      bench.write({ 'a.txt': 'a' });
      const programs = path.join(bench.root, 'programs');
      bench.write({ ssh: `#!/bin/sh\necho "$@" >${bench.root}/words\nexit 255\n` }, programs);
      chmodSync(path.join(programs, 'ssh'), 0o755);
      Object.assign(bench.env, { PATH: `${programs}:${process.env['PATH']}` });
      bench.host = { ...bench.host, ssh };
      bench.sshOptions = ['-v'];
      bench.reopen();
      expect(await bench.refusal()).toMatch(/rsync says: /);
      expect(readFileSync(path.join(bench.root, 'words'), 'utf8')).toContain(words);
    });
});

test('a machine without rsync says so', async () => {
  const bench = rsyncBench();
  bench.write({ 'a.txt': 'a' });
  const programs = path.join(bench.root, 'programs');
  mkdirSync(programs);
  for (const name of [
    'sh',
    'mkdir',
    'chmod',
    'cut',
    'cat',
    'wc',
    'rm',
    'env',
    'sed',
    'head',
    'ls',
    'sort',
    'tail',
  ])
    symlinkSync(`/bin/${name}`, path.join(programs, name));
  bench.link = localLink({ HOME: bench.homeThere, PATH: programs });
  expect(await bench.refusal()).toBe(
    'The files of the task did not get to build-1: it has no rsync; install it, or set "sync" to "git".',
  );
});

test.runIf(hasRsync)('a machine that has no git is tidied as well', async () => {
  const bench = rsyncBench();
  bench.write({ 'a.txt': 'a' });
  const programs = path.join(bench.root, 'programs');
  mkdirSync(programs);
  for (const name of 'sh mkdir chmod cut cat wc rm env sed head ls sort tail find rsync'.split(' '))
    symlinkSync(`/usr/bin/${name}`, path.join(programs, name));
  bench.link = localLink({ HOME: bench.homeThere, PATH: programs });
  await bench.prepare(1);
  await bench.prepare(2);
  expect(await bench.sync.terms(bench.place)).toEqual([1, 2]);
  await bench.sync.discard(bench.place, [1]);
  expect(await bench.sync.terms(bench.place)).toEqual([2]);
});
