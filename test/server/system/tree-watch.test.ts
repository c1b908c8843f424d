import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { instant } from '../../../server/domain/time.ts';
import type { TreeChange } from '../../../server/engine/tree-watch.ts';
import { SystemClock } from '../../../server/system/clock.ts';
import { SystemTreeWatch, type SystemTreeWatchOptions } from '../../../server/system/tree-watch.ts';
import { type SensorListener, unwatchableNotice } from '../../../server/system/tree-sensor.ts';
import {
  COMMITTED,
  type TreeBench,
  treeWatchContract,
} from '../../support/contracts/tree-watch-contract.ts';
import { HandTime } from '../../support/hand-time.ts';
import { HandTreeWatch } from '../../support/hand-tree-watch.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('on disk', () => {
  treeWatchContract(diskBench);
});

describe('in memory', () => {
  treeWatchContract(() => {
    const time = new HandTime();
    const watch = new HandTreeWatch(time);
    watch.ignore('out');
    watch.write(COMMITTED, 'committed');
    time.sleep(1000);
    return {
      watch,
      tree: '/project',
      now: () => time.now(),
      write: (file, bytes) => watch.write(file, bytes),
      remove: (file) => watch.remove(file),
    };
  });
});

test('a file that is moved in from elsewhere is told, however old it is', async () => {
  const { bench, watched, paths } = await watching();
  const outside = path.join(temporaryFolder(), 'old');
  writeFileSync(outside, 'x');
  renameSync(outside, path.join(bench.tree, 'src/moved'));
  await watched.settle();
  expect(paths()).toEqual(['src/moved']);
});

test('a folder that is moved is told file by file, where it was and where it is', async () => {
  const { bench, watched, paths } = await watching();
  renameSync(path.join(bench.tree, 'src'), path.join(bench.tree, 'lib'));
  await watched.settle();
  expect(paths()).toEqual(['lib/committed', 'src/committed']);
  bench.write('lib/later', 'x');
  await watched.settle();
  expect(paths()).toContain('lib/later');
});

test('a folder that is removed and made again at once is watched', async () => {
  const { bench, watched, paths } = await watching();
  const folder = path.join(bench.tree, 'src');
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  await watched.settle();
  bench.write('src/later', 'x');
  await watched.settle();
  expect(paths()).toContain('src/later');
});

test('where a folder was moved away and another takes its name, both are watched', async () => {
  const { bench, watched, paths } = await watching();
  renameSync(path.join(bench.tree, 'src'), path.join(bench.tree, 'lib'));
  mkdirSync(path.join(bench.tree, 'src'));
  await watched.settle();
  bench.write('src/later', 'x');
  bench.write('lib/other', 'x');
  await watched.settle();
  expect(paths()).toEqual(expect.arrayContaining(['lib/other', 'src/later']));
});

test('a tree that is removed and made again is looked at all the same', async () => {
  const tree = temporaryFolder();
  const { bench } = benchWithClock(tree);
  const { watched, paths } = await watching(bench);
  rmSync(tree, { recursive: true });
  mkdirSync(tree);
  await watched.settle();
  bench.write('later', 'x');
  await watched.settle();
  expect(paths()).toContain('later');
});

test('a repository inside of the tree is not part of it', async () => {
  const { bench, watched, paths } = await watching();
  mkdirSync(path.join(bench.tree, 'inner'));
  execFileSync('git', ['init', '-q'], { cwd: path.join(bench.tree, 'inner') });
  await watched.settle();
  bench.write('inner/deep/file', 'x');
  await watched.settle();
  expect(paths()).toEqual([]);
});

test('what was committed meanwhile is found by whoever comes after', async () => {
  const { bench, clock } = benchWithClock();
  const since = clock.now();
  bench.write('src/new', 'x');
  git(bench.tree, 'add', '-A');
  git(bench.tree, 'commit', '-qm', 'new');
  const { paths } = await watching(bench, since);
  expect(paths()).toEqual(['src/new']);
});

test('without git a tree is watched all the same', async () => {
  const tree = temporaryFolder();
  const { bench, clock } = benchWithClock(tree);
  const since = clock.now();
  bench.write('early', 'x');
  const { watched, paths } = await watching(bench, since);
  bench.write('src/x', 'x');
  bench.write('node_modules/y', 'x');
  await watched.settle();
  expect(paths()).toEqual(['early', 'src/x']);
});

for (const count of [2000, 20_000])
  test(`${count} files that are written at once are all told, whatever the system keeps for us`, async () => {
    const { bench, watched, paths } = await watching();
    for (let number = 0; number < count; number += 1)
      bench.write(`many/${number % 50}/${number}`, '');
    await watched.settle();
    await watched.settle();
    expect(paths()).toHaveLength(count);
  }, 60_000);

test('a tree that is gone is no fault', async () => {
  const { bench, watched, paths } = await watching();
  rmSync(bench.tree, { recursive: true });
  await watched.settle();
  expect(paths()).toEqual([]);
});

test('what cannot be watched is said with the limit that is in the way', () => {
  const error = Object.assign(new Error('no'), { code: 'ENOSPC' });
  expect(unwatchableNotice('/tree', error)).toMatch(/max_user_watches.* when they end/);
});

type NewSensor = NonNullable<SystemTreeWatchOptions['newSensor']>;

/** Says only what the test has it say, and notes the folders that it is to watch. */
function sensorWith(
  begin: (listener: SensorListener, tree: string) => void,
  added: string[] = [],
): NewSensor {
  return (tree, listener) => ({
    begin: async () => begin(listener, tree),
    addFolder: async (folder) => {
      added.push(folder);
      return [];
    },
    dropFolder: () => {},
    [Symbol.dispose]: () => {},
  });
}

test('whoever begins when a change was heard of cannot have made it', async () => {
  const { clock, bench } = benchWithClock();
  const listeners: SensorListener[] = [];
  const newSensor = sensorWith((listener) => void listeners.push(listener));
  const watch = new SystemTreeWatch({ clock, env: process.env, ownFolder: '/none', newSensor });
  const told: TreeChange[] = [];
  using watched = watch.watch(bench.tree, instant(clock.now() + 60_000), {
    wants: () => true,
    changed: (changes) => void told.push(...changes),
    noticed: (sentence) => expect.fail(sentence),
  });
  await watched.settle();
  bench.write('src/x', 'x');
  const aMomentAgo = new Date(Date.now() - 5);
  utimesSync(path.join(bench.tree, 'src/x'), aMomentAgo, aMomentAgo);
  for (const { touched } of listeners) touched('src/x', false);
  const heardAt = clock.now();
  await watched.settle();
  expect(told.map((change) => change.path)).toEqual(['src/x']);
  expect(told[0]!.until).toBeLessThanOrEqual(heardAt);
});

test('folders that come while the tree is still being looked at are watched, all of them', async () => {
  const { clock, bench } = benchWithClock();
  const added: string[] = [];
  const newSensor = sensorWith(({ touched }, tree) => {
    for (const folder of ['one', 'two', 'three']) {
      mkdirSync(path.join(tree, folder));
      touched(folder, true);
      touched(`${folder}/file`, false);
    }
  }, added);
  const watch = new SystemTreeWatch({ clock, env: process.env, ownFolder: '/none', newSensor });
  using watched = watch.watch(bench.tree, clock.now(), {
    wants: () => true,
    changed: () => {},
    noticed: (sentence) => expect.fail(sentence),
  });
  await watched.settle();
  expect(added.toSorted()).toEqual(['one', 'three', 'two']);
});

test('where more names come than are kept, what is written is found by looking', async () => {
  const { clock, bench } = benchWithClock();
  const listeners: SensorListener[] = [];
  const newSensor = sensorWith((listener) => void listeners.push(listener));
  const watch = new SystemTreeWatch({ clock, env: process.env, ownFolder: '/none', newSensor });
  const told: string[] = [];
  using watched = watch.watch(bench.tree, instant(clock.now() + 60_000), {
    wants: () => true,
    changed: (changes) => void told.push(...changes.map((change) => change.path)),
    noticed: (sentence) => expect.fail(sentence),
  });
  await watched.settle();
  for (let number = 0; number <= 200_000; number += 1)
    listeners[0]?.touched(`out-of/${number}`, true);
  bench.write('src/x', 'x');
  await watched.settle();
  bench.write('src/y', 'y');
  await watched.settle();
  expect([...new Set(told)]).toEqual(['src/x', 'src/y']);
});

test('where the system watches no more, that is said once, and what is written is found by looking', async () => {
  const { clock, bench } = benchWithClock();
  // It has no watches left, and says so twice.
  const newSensor = sensorWith(({ failed }) => {
    for (let round = 0; round < 2; round += 1)
      failed(Object.assign(new Error('no'), { code: 'ENOSPC' }));
  });
  const watch = new SystemTreeWatch({ clock, env: process.env, ownFolder: '/none', newSensor });
  const [told, notices]: [string[], string[]] = [[], []];
  using watched = watch.watch(bench.tree, instant(clock.now() + 60_000), {
    wants: (file) => file !== 'src/unwanted',
    changed: (changes) => void told.push(...changes.map((change) => change.path)),
    noticed: (sentence) => void notices.push(sentence),
  });
  await watched.settle();
  for (const file of ['src/x', 'src/unwanted', 'out/x', COMMITTED]) bench.write(file, 'other');
  await watched.settle();
  expect(told.toSorted()).toEqual([COMMITTED, 'src/x']);
  expect(notices).toHaveLength(1);
  await watched.settle();
  expect(new Set(told).size).toBe(2);
});

function git(tree: string, ...args: readonly string[]): void {
  const who = ['-c', 'user.email=a@b', '-c', 'user.name=a'];
  execFileSync('git', [...who, ...args], { cwd: tree });
}

function diskBench(): TreeBench {
  return benchWithClock().bench;
}

function benchWithClock(tree = repository()): { bench: TreeBench; clock: SystemClock } {
  const clock = new SystemClock();
  const ownFolder = path.join(tree, '.state');
  const bench = {
    watch: new SystemTreeWatch({ clock, env: process.env, ownFolder }),
    tree,
    now: () => clock.now(),
    write: (file: string, bytes: string) => {
      mkdirSync(path.dirname(path.join(tree, file)), { recursive: true });
      writeFileSync(path.join(tree, file), bytes);
    },
    remove: (file: string) => rmSync(path.join(tree, file)),
  };
  return { bench, clock };
}

function repository(): string {
  const tree = temporaryFolder();
  mkdirSync(path.join(tree, 'src'));
  mkdirSync(path.join(tree, 'out'));
  writeFileSync(path.join(tree, COMMITTED), 'committed');
  writeFileSync(path.join(tree, '.gitignore'), 'out/\n');
  git(tree, 'init', '-q');
  git(tree, 'add', '-A');
  git(tree, 'commit', '-qm', 'all');
  return tree;
}

async function watching(bench = diskBench(), since = instant(bench.now() + 60_000)) {
  const told: string[] = [];
  const watched = bench.watch.watch(bench.tree, since, {
    wants: () => true,
    changed: (changes) => void told.push(...changes.map((change) => change.path)),
    noticed: (sentence) => expect.fail(sentence),
  });
  onTestFinished(() => watched[Symbol.dispose]());
  await watched.settle();
  return { bench, watched, paths: () => [...new Set(told)].toSorted() };
}
