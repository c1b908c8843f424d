import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { localLink } from '../../../../server/remote/local-link.ts';
import { shellLink } from './link-wrappers.ts';
import { filesIn, SyncBench } from './sync-bench.ts';

test('a task finds the commit and what is not committed, and nothing here is touched', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a', 'b.txt': 'b', 'sub/c.txt': 'c', '.gitignore': 'ignored\n' });
  bench.write({ 'a.txt': 'changed', 'new file': 'new', ignored: 'secret' });
  bench.git('rm', '-q', '--cached', 'b.txt');
  const index = readFileSync(path.join(bench.tree, '.git', 'index'));
  const objects = bench.git('count-objects', '-v');

  const folder = await bench.prepare();

  const { ignored: _, ...sent } = filesIn(bench.tree);
  expect(filesIn(folder)).toEqual(sent);
  expect(bench.gitIn(folder, 'rev-parse', 'HEAD')).toBe(bench.git('rev-parse', 'HEAD'));
  expect(bench.gitIn(folder, 'status', '--porcelain')).toBe(' M a.txt\n?? "new file"');
  expect(readFileSync(path.join(bench.tree, '.git', 'index'))).toEqual(index);
  expect(bench.git('count-objects', '-v')).toBe(objects);
});

test('nobody else on the machine reads what was sent', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a' });
  await bench.prepare();
  expect(statSync(bench.trees).mode & 0o777).toBe(0o700);
});

test.each(['dash', 'bash --posix', 'zsh --emulate sh', 'ksh', 'busybox sh'].filter(isThere))(
  'what is sent and comes back is the same in %s',
  async (shell) => {
    const bench = new SyncBench();
    bench.link = shellLink(shell, { ...process.env, HOME: bench.homeThere });
    bench.commit({ 'a.txt': 'a', '.gitignore': 'out' });
    const folder = await bench.prepare();
    expect(filesIn(folder)).toEqual(filesIn(bench.tree));
    bench.write({ out: 'made', 'line\nbreak': 'x' }, folder);
    expect(await bench.collect({ outputs: ['out'] })).toHaveLength(1);
    expect(filesIn(bench.tree)['out']).toBe('made');
    expect(bench.git('show', 'interlock/api/1:line\nbreak')).toBe('x');
    bench.write({ 'a.txt': 'b'.repeat(3_000_000) });
    expect(filesIn(await bench.prepare(2))['a.txt']).toHaveLength(3_000_000);
    await bench.sync.discard(bench.place, [1, 2]);
    expect(await bench.sync.terms(bench.place)).toEqual([]);
  },
);

function isThere(shell: string): boolean {
  return spawnSync('sh', ['-c', `exec ${shell} -c :`]).status === 0;
}

test('what a task has changed comes back on a branch on top of the commit', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
  bench.write({ 'a.txt': 'mine' });
  const folder = await bench.prepare(7);
  bench.write({ 'b.txt': 'theirs', 'd.txt': 'new' }, folder);
  bench.gitIn(folder, 'rm', '-q', 'c.txt');

  const notices = await bench.collect({ term: 7 });

  expect(notices).toEqual(['What else api changed on build-1 is on the branch interlock/api/7.']);
  expect(bench.git('diff', '--name-status', 'main', 'interlock/api/7')).toBe(
    'M\tb.txt\nD\tc.txt\nA\td.txt',
  );
  expect(filesIn(bench.tree)).toEqual({ 'a.txt': 'mine', 'b.txt': 'b', 'c.txt': 'c' });
  bench.git('fsck', '--full', '--strict');
  bench.git('merge', '-q', 'interlock/api/7');
  expect(filesIn(bench.tree)).toEqual({ 'a.txt': 'mine', 'b.txt': 'theirs', 'd.txt': 'new' });
});

test('outputs come back into the tree', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a', '.gitignore': 'dist/\n' });
  const folder = await bench.prepare();
  bench.write({ 'dist/x.js': 'x', 'dist/y/z.js': 'z', 'dist/skip': 'no' }, folder);
  expect(await bench.collect({ outputs: ['dist/**/*.js'] })).toEqual([]);
  expect(filesIn(bench.tree)).toEqual({
    '.gitignore': 'dist/\n',
    'a.txt': 'a',
    'dist/x.js': 'x',
    'dist/y/z.js': 'z',
  });
});

test('a folder comes back with all that is in it, with or without a slash', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a', '.gitignore': 'dist\ngen\nv1.2\n' });
  const folder = await bench.prepare();
  const made = { 'dist/x.js': 'x', 'src/api/gen/y.js': 'y', 'lib/v1.2/z.js': 'z' };
  bench.write({ ...made, 'lib/gen/no.js': 'no' }, folder);
  expect(await bench.collect({ outputs: ['dist', 'src/*/gen', 'l?b/v1.2'] })).toEqual([]);
  const { 'a.txt': _, '.gitignore': __, ...came } = filesIn(bench.tree);
  expect(came).toEqual(made);
});

test('what a task commits itself comes back with its history', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a', 'b.txt': 'b' });
  bench.write({ 'a.txt': 'mine' });
  const folder = await bench.prepare();
  bench.write({ 'b.txt': 'first' }, folder);
  bench.gitIn(folder, 'commit', '-q', '-m', 'First', 'b.txt');
  bench.write({ 'b.txt': 'second', 'c.txt': 'c' }, folder);
  await bench.collect();
  expect(bench.git('log', '--format=%an: %s', 'main..interlock/api/1').split('\n')).toEqual([
    'Interlock: What api changed on build-1',
    'Ada: First',
  ]);
  expect(bench.git('show', 'interlock/api/1:b.txt')).toBe('second');
  expect(bench.git('show', 'interlock/api/1:a.txt')).toBe('a');
});

test('what a task undoes of what is not committed is said', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a', 'b.txt': 'b' });
  bench.write({ 'a.txt': 'mine', 'new.txt': 'mine' });
  const folder = await bench.prepare();
  bench.write({ 'a.txt': 'a' }, folder);
  rmSync(path.join(folder, 'new.txt'));
  expect(await bench.collect()).toEqual([
    'api has undone on build-1 what is not committed of a.txt, new.txt. Here it stays as it is.',
  ]);
  expect(filesIn(bench.tree)).toEqual({ 'a.txt': 'mine', 'b.txt': 'b', 'new.txt': 'mine' });
});

test('a task that changes nothing leaves no branch', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a' });
  bench.write({ 'a.txt': 'mine', 'b.txt': 'mine' });
  await bench.prepare();
  expect(await bench.collect({ outputs: ['**'] })).toEqual([]);
  expect(bench.git('branch', '--list', 'interlock/*')).toBe('');
});

test('whoever asks again finds the same tree, and brings the same back', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a' });
  const folder = await bench.prepare();
  bench.write({ 'b.txt': 'b' }, folder);
  bench.reopen();
  bench.write({ 'a.txt': 'later' });
  expect(await bench.prepare()).toBe(folder);
  expect(filesIn(folder)).toEqual({ 'a.txt': 'a', 'b.txt': 'b' });
  const notices = await bench.collect();
  const tip = bench.git('rev-parse', 'interlock/api/1');
  bench.reopen();
  expect(await bench.collect()).toEqual(notices);
  expect(bench.git('rev-parse', 'interlock/api/1')).toBe(tip);
});

test('tasks of several boards get there at the same time', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a' });
  const other = bench.open('board-2');
  onTestFinished(() => other.close());
  const terms = [1, 2, 3, 4, 5];
  const wish = { root: bench.tree, cwd: '', reads: [] };
  const prepared = await Promise.all(
    [bench.sync, other].flatMap((sync) =>
      terms.map(async (term) => await sync.prepare(bench.place, { ...wish, term })),
    ),
  );
  const folders = prepared.map((each) => ('folder' in each ? each.folder : each.refusal));
  expect(new Set(folders).size).toBe(10);
  for (const folder of folders) expect(filesIn(folder)).toEqual({ 'a.txt': 'a' });
});

test('whoever was stopped sends nothing more', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a' });
  const stop = new AbortController();
  const wish = { root: bench.tree, cwd: '', reads: [], term: 1 };
  const preparing = bench.sync.prepare(bench.place, wish, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(preparing).rejects.toThrow('stopped');
  expect(filesIn(await bench.prepare(2))).toEqual({ 'a.txt': 'a' });
});

test('artifacts are kept with the run', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a', '.gitignore': 'coverage' });
  const folder = await bench.prepare();
  bench.write({ 'coverage/index.html': 'html', 'a.txt': 'changed' }, folder);
  await bench.collect({ artifacts: ['coverage/**', 'a.*'] });
  expect(filesIn(bench.keptFolder)).toEqual({
    'artifacts/a.txt': 'changed',
    'artifacts/coverage/index.html': 'html',
  });
  expect(filesIn(bench.tree)).toEqual({ 'a.txt': 'a', '.gitignore': 'coverage' });
});

test('a folder that is there already is taken as it is, or named where it is missing', async () => {
  const bench = new SyncBench();
  bench.host = { ...bench.host, sync: 'none' };
  expect(await bench.refusal(1, { cwd: 'web' })).toBe(
    'There is no folder ~/code/shop/web on build-1. Make it, or set "sync" of the host to "git" to have the files sent.',
  );
  bench.write({ 'code/shop/web/a.txt': 'a' }, bench.homeThere);
  expect(await bench.prepare(1, { cwd: 'web' })).toBe(
    path.join(bench.homeThere, 'code', 'shop', 'web'),
  );
  expect(await bench.collect()).toEqual([]);
  expect(await bench.sync.terms(bench.place)).toEqual([]);
  expect(filesIn(bench.homeThere)).toEqual({ 'code/shop/web/a.txt': 'a' });
});

test('several hosts are sent the same, and give back what they made, at the same time', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a', '.gitignore': 'out' });
  const hosts = ['build-1', 'build-2', 'build-3', 'build-4'].map((name, at) => {
    const home = path.join(bench.root, name);
    mkdirSync(home);
    const link = localLink({ ...process.env, HOME: home });
    return { place: { link, host: { ...bench.host, name } }, term: at + 1 };
  });
  await Promise.all(
    hosts.map(async ({ place, term }) => {
      const prepared = await bench.sync.prepare(place, {
        root: bench.tree,
        cwd: '',
        reads: [],
        term,
      });
      if ('refusal' in prepared) throw new Error(prepared.refusal);
      bench.write({ [`out/${term}`]: 'made', 'a.txt': `${term}` }, prepared.folder);
    }),
  );
  const wish = {
    root: bench.tree,
    task: 'api',
    outputs: ['out/**'],
    artifacts: [],
    keptFolder: bench.keptFolder,
  };
  const collected = await Promise.all(
    hosts.map(
      async ({ place, term }) =>
        await bench.sync.collect(place, {
          ...wish,
          term,
          host: place.host.name,
        }),
    ),
  );
  expect(collected).toEqual(
    hosts.map(({ place, term }) => ({
      notices: [
        `What else api changed on ${place.host.name} is on the branch interlock/api/${term}.`,
      ],
    })),
  );
  expect(Object.keys(filesIn(bench.tree)).filter((name) => name.startsWith('out'))).toHaveLength(4);
});

test('what git ignores is sent where the task names it as what it reads', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a', '.gitignore': '.env\ndist/\nnode_modules/\n' });
  const built = { 'dist/x.js': 'x', 'dist/y.js': 'y' };
  bench.write({ ...built, 'dist/x.map': 'map', '.env': 'secret', 'node_modules/m': 'm' });
  const reads = ['dist/**', '!dist/*.map', '**', '*.env'];
  const folder = await bench.prepare(1, { reads });
  const sent = { 'a.txt': 'a', '.gitignore': '.env\ndist/\nnode_modules/\n', ...built };
  expect(filesIn(folder)).toEqual(sent);
  expect(bench.gitIn(folder, 'status', '--porcelain')).toBe('');
  expect(Object.keys(filesIn(await bench.prepare(2)))).toEqual(['.gitignore', 'a.txt']);

  bench.write({ 'dist/x.js': 'made', 'dist/y.js': 'touched', 'a.txt': 'changed' }, folder);
  expect(await bench.collect({ outputs: ['dist/x*'] })).toEqual([
    'What else api changed on build-1 is on the branch interlock/api/1.',
  ]);
  expect(filesIn(bench.tree)).toMatchObject({ 'dist/x.js': 'made', 'dist/y.js': 'y' });
  expect(bench.git('diff', '--name-only', 'main', 'interlock/api/1')).toBe('a.txt');
});
