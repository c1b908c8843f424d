import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
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

test('what a task has changed comes back on a branch on top of the commit', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
  bench.write({ 'a.txt': 'mine' });
  const folder = await bench.prepare(7);
  bench.write({ 'b.txt': 'theirs', 'd.txt': 'new' }, folder);
  bench.gitIn(folder, 'rm', '-q', 'c.txt');

  const { notices, failed } = await bench.collect({ term: 7 });

  expect(failed).toBeUndefined();
  expect(notices).toEqual(['What api changed on build-1 is on the branch interlock/api/7.']);
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
  expect(await bench.collect({ outputs: ['dist/**/*.js'] })).toEqual({ notices: [] });
  expect(filesIn(bench.tree)).toEqual({
    '.gitignore': 'dist/\n',
    'a.txt': 'a',
    'dist/x.js': 'x',
    'dist/y/z.js': 'z',
  });
});
