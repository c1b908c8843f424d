import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { instant } from '../../../server/domain/time.ts';
import { StoreError } from '../../../server/engine/store-error.ts';
import { SqliteStore } from '../../../server/store/sqlite-store.ts';
import { claimOf } from '../../support/decisions.ts';
import { manifest, taskId } from '../../support/runs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const COMMITS = 50;

function open(file: string): SqliteStore {
  const store = new SqliteStore(file);
  onTestFinished(() => store.close());
  return store;
}

function errorOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

test('what was committed is there after the file is opened again', () => {
  const file = path.join(temporaryFolder(), 'board.db');
  const first = open(file);
  first.submit(manifest(1), []);
  first.commit([claimOf({ task: taskId('a') })], instant(5));
  first.close();
  const second = open(file);
  expect(second.unfinishedRuns()[0]?.states.get(taskId('a'))).toEqual({
    kind: 'claimed',
    tries: { revision: 1, attempts: 1, failures: 0, losses: 0 },
    term: 1,
    worker: 'runner/local',
    claimedAt: 5,
  });
});

test('terms go on growing after the file is opened again', () => {
  const file = path.join(temporaryFolder(), 'board.db');
  const first = open(file);
  first.submit(manifest(1), []);
  first.commit([claimOf({ task: taskId('a') })], instant(5));
  first.close();
  const claimed = open(file).commit([claimOf({ task: taskId('b') })], instant(6));
  expect(claimed).toMatchObject([{ term: 2 }]);
});

test('every commit of another process is hinted at after it can be read', async () => {
  const file = path.join(temporaryFolder(), 'board.db');
  const [ours, theirs] = [open(file), open(file)];
  const seen: number[] = [];
  const allSeen = Promise.withResolvers<void>();
  const watching = ours.watch(() => {
    seen.push(ours.lastSequence());
    if (ours.lastSequence() < COMMITS) theirs.submit(manifest(seen.length + 1), []);
    else allSeen.resolve();
  });
  onTestFinished(() => watching[Symbol.dispose]());
  theirs.submit(manifest(1), []);
  await allSeen.promise;
  expect(seen).toEqual(Array.from({ length: COMMITS }, (_, index) => index + 1));
});

test('a commit of our own is no news', async () => {
  const file = path.join(temporaryFolder(), 'board.db');
  const [ours, theirs] = [open(file), open(file)];
  const seen = Promise.withResolvers<number>();
  const watching = ours.watch(() => seen.resolve(ours.lastSequence()));
  onTestFinished(() => watching[Symbol.dispose]());
  ours.submit(manifest(1), []);
  theirs.submit(manifest(2), []);
  expect(await seen.promise).toBe(2);
});

test('a damaged file is moved aside and a new one begins', () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'board.db');
  writeFileSync(
    file,
    'this was never a database, and is long enough to be looked at as one'.repeat(20),
  );
  const store = open(file);
  expect(store.unfinishedRuns()).toEqual([]);
  expect(store.movedAside).toBe(`${file}.damaged-1`);
  expect(readdirSync(folder)).toContain('board.db.damaged-1');
});

test('a second damaged file does not take the name of the first', () => {
  const file = path.join(temporaryFolder(), 'board.db');
  writeFileSync(`${file}.damaged-1`, '');
  writeFileSync(file, 'nonsense'.repeat(200));
  expect(open(file).movedAside).toBe(`${file}.damaged-2`);
});

test('a file that a newer version wrote is refused and left as it is', () => {
  const file = path.join(temporaryFolder(), 'board.db');
  const newer = new SqliteDatabase(file);
  newer.pragma('user_version = 1000');
  newer.close();
  const error = errorOf(() => new SqliteStore(file));
  expect(error).toBeInstanceOf(StoreError);
  expect(error).toMatchObject({ reason: 'newer' });
  const after = new SqliteDatabase(file);
  onTestFinished(() => void after.close());
  expect(after.pragma('user_version', { simple: true })).toBe(1000);
});

test('a file that cannot be opened is said by its name, with what to do', () => {
  const folder = temporaryFolder();
  const error = errorOf(() => new SqliteStore(folder));
  expect(error).toBeInstanceOf(StoreError);
  expect(error).toMatchObject({ reason: 'world', message: expect.stringContaining(folder) });
});

test('a state that breaks its own rules is refused by the database itself', () => {
  const file = path.join(temporaryFolder(), 'board.db');
  open(file).submit(manifest(1), []);
  const raw = new SqliteDatabase(file);
  onTestFinished(() => void raw.close());
  expect(() => raw.exec("update run_task set state = 'running'")).toThrow(/a_held_task_has_a_term/);
  expect(() => raw.exec('update run_task set term = 1')).toThrow(/a_held_task_has_a_term/);
  expect(() => raw.exec("update run_task set state = 'completed'")).toThrow(/final_task/);
  expect(() => raw.exec("update run_task set state = 'napping'")).toThrow(/CHECK/);
  expect(() => raw.exec("update run set outcome = 'failed'")).toThrow(/come_together/);
});

test('the unfinished runs are found without looking at the finished ones', () => {
  const file = path.join(temporaryFolder(), 'board.db');
  open(file);
  const raw = new SqliteDatabase(file);
  onTestFinished(() => void raw.close());
  const plan = raw
    .prepare(
      'explain query plan select id from run where outcome is null order by requested_at, id',
    )
    .all();
  expect(JSON.stringify(plan)).toContain('USING INDEX unfinished_run');
});

test('a copy of the files in the middle of the work is a sound database', () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'board.db');
  const store = open(file);
  store.submit(manifest(1), []);
  for (const suffix of ['', '-wal'])
    copyFileSync(file + suffix, path.join(folder, `copy.db${suffix}`));
  expect(open(path.join(folder, 'copy.db')).unfinishedRuns()).toHaveLength(1);
});
