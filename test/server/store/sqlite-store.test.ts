import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { StoreError } from '../../../server/engine/store-error.ts';
import { isSafeVersion } from '../../../server/store/database.ts';
import { SqliteStore } from '../../../server/store/sqlite-store.ts';
import { SQL } from '../../../server/store/statements.ts';
import { claim, stateOf, submitted } from '../../support/contracts/board-on-trial.ts';
import { claimOf } from '../../support/decisions.ts';
import { taskId } from '../../support/runs.ts';
import { StoreClock } from '../../support/store-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const COMMITS = 50;

function open(file: string, clock = new StoreClock()): SqliteStore {
  const store = new SqliteStore(file, { clock });
  onTestFinished(() => store.close());
  return store;
}

/** A store that may write. */
function writer(file: string, clock?: StoreClock): SqliteStore {
  const store = open(file, clock);
  store.beginTenure();
  return store;
}

function raw(file: string): Database {
  const database = new SqliteDatabase(file, { timeout: 0 });
  onTestFinished(() => void database.close());
  return database;
}

function newFile(): string {
  return path.join(temporaryFolder(), 'board.db');
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
  const file = newFile();
  const first = writer(file);
  first.record([submitted()]);
  claim(first);
  first.close();
  expect(stateOf(open(file))).toEqual({
    kind: 'claimed',
    tries: { revision: 1, attempts: 1, failures: 0, losses: 0 },
    term: 1,
    worker: 'runner/local',
    claimedAt: 100,
  });
});

test('a store that is closed leaves no log behind, and closing twice is harmless', () => {
  const file = newFile();
  const store = writer(file);
  store.record([submitted()]);
  store.close();
  store.close();
  expect(readdirSync(path.dirname(file)).toSorted()).toEqual([
    'board.db',
    'board.db-bell',
    'board.db-gate',
    'board.db-terms',
  ]);
});

test('who writes to a store that is closed has left the board, and made no mistake', () => {
  const store = writer(newFile());
  store.close();
  expect(errorOf(() => store.together(() => {}))).toMatchObject({ reason: 'deposed' });
  expect(errorOf(() => store.beginTenure())).toMatchObject({ reason: 'deposed' });
});

test('the time of a board goes on from what was written last', () => {
  const file = newFile();
  const first = writer(file, new StoreClock(5000));
  first.record([submitted()]);
  first.close();
  const clock = new StoreClock(40);
  const second = open(file, clock);
  expect([clock.now(), second.snapshot().nowAt]).toEqual([5000, 5000]);
});

test('whoever takes over goes on from the time of whoever wrote last', () => {
  const file = newFile();
  const clock = new StoreClock(40);
  const [second, first] = [open(file, clock), writer(file, new StoreClock(5000))];
  first.record([submitted()]);
  second.beginTenure();
  expect(clock.now()).toBe(5000);
});

test('every commit of another process is hinted at after it can be read', async () => {
  const file = newFile();
  const [ours, theirs] = [open(file), writer(file)];
  const seen: number[] = [];
  const allSeen = Promise.withResolvers<void>();
  const watching = ours.watch(() => {
    if (seen.at(-1) === ours.lastSequence()) return;
    seen.push(ours.lastSequence());
    if (ours.lastSequence() < COMMITS) theirs.record([submitted(seen.length + 1)]);
    else allSeen.resolve();
  });
  onTestFinished(() => watching[Symbol.dispose]());
  theirs.record([submitted(1)]);
  await allSeen.promise;
  expect(seen).toEqual(Array.from({ length: COMMITS }, (_, index) => index + 1));
});

test('a commit of our own is no news', async () => {
  const file = newFile();
  const [ours, theirs] = [writer(file), open(file)];
  const seen = Promise.withResolvers<number>();
  const watching = ours.watch(() => seen.resolve(ours.lastSequence()));
  onTestFinished(() => watching[Symbol.dispose]());
  ours.record([submitted(1)]);
  theirs.beginTenure();
  theirs.record([submitted(2)]);
  expect(await seen.promise).toBe(2);
});

test('a file that a newer version wrote is refused and left as it is', () => {
  const file = newFile();
  const newer = new SqliteDatabase(file);
  newer.pragma('user_version = 1000');
  newer.close();
  const error = errorOf(() => open(file));
  expect(error).toBeInstanceOf(StoreError);
  expect(error).toMatchObject({ reason: 'newer', message: expect.stringContaining('Update') });
  const after = raw(file);
  expect(after.pragma('user_version', { simple: true })).toBe(1000);
  expect(after.pragma('journal_mode', { simple: true })).toBe('delete');
});

test('whoever has a file open that a newer version takes over writes nothing more to it', () => {
  const file = newFile();
  const [store, other] = [writer(file), open(file)];
  store.record([submitted()]);
  raw(file).pragma('user_version = 1000');
  const said = { reason: 'newer', message: expect.stringContaining('newer version') };
  expect(errorOf(() => store.record([submitted(2)]))).toMatchObject(said);
  expect(errorOf(() => claim(store))).toMatchObject(said);
  expect(errorOf(() => other.beginTenure())).toMatchObject(said);
  expect(store.lastSequence()).toBe(1);
});

test('a file that cannot be opened is said by its name, with what to do', () => {
  const folder = temporaryFolder();
  const error = errorOf(() => open(folder));
  expect(error).toBeInstanceOf(StoreError);
  expect(error).toMatchObject({ reason: 'world', message: expect.stringContaining(folder) });
});

for (const [type, name] of [
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  [-11317950, 'CIFS'],
  [0x65735546, 'FUSE'],
  [0x01021997, '9p'],
  [0x47504653, 'GPFS'],
  [0x19830326, 'BeeGFS'],
  [-1428706582, 'PanFS'],
  [-1161057092, 'VMware'],
] as const)
  test(`a board is not kept on ${name} (${type})`, () => {
    const file = newFile();
    const options = { clock: new StoreClock(), fileSystemOf: () => type };
    const error = errorOf(() => new SqliteStore(file, options));
    expect(error).toMatchObject({
      reason: 'network-file-system',
      message: expect.stringMatching(new RegExp(`${name}.*INTERLOCK_STATE_DIR`)),
    });
    expect(existsSync(file)).toBe(false);
  });

for (const suffix of ['', '-wal'])
  test(`nothing is written when board.db${suffix} was deleted or replaced`, () => {
    const file = newFile();
    const store = writer(file);
    store.record([submitted()]);
    rmSync(file + suffix);
    const said = { reason: 'gone', message: expect.stringContaining('deleted or replaced') };
    expect(errorOf(() => claim(store))).toMatchObject(said);
    copyFileSync(`${file}-bell`, file + suffix);
    expect(errorOf(() => store.together(() => 1))).toMatchObject(said);
    expect(errorOf(() => store.beginTenure())).toMatchObject(said);
  });

test('of two machines that share a home folder neither keeps a board in it, whoever comes first', () => {
  const file = newFile();
  const options = { clock: new StoreClock(), fileSystemOf: () => 0x6969 };
  writer(file).close();
  const before = readdirSync(path.dirname(file)).toSorted();
  for (const _ of ['the first', 'the second'])
    expect(errorOf(() => new SqliteStore(file, options))).toMatchObject({
      reason: 'network-file-system',
      message: expect.stringContaining('a disk of this machine'),
    });
  expect(readdirSync(path.dirname(file)).toSorted()).toEqual(before);
});

test('a version of SQLite that can damage a file is known', () => {
  const versions = ['3.51.2', '3.51.3', '3.51.10', '3.50.9', '3.54.1', '4.0.0', '2.99.99'];
  expect(versions.filter((version) => isSafeVersion(version))).toEqual([
    '3.51.3',
    '3.51.10',
    '3.54.1',
    '4.0.0',
  ]);
});

test('a state that breaks its own rules is refused by the database itself', () => {
  const file = newFile();
  const store = writer(file);
  store.record([submitted()]);
  store.close();
  const database = raw(file);
  const refused = (sql: string): unknown => errorOf(() => database.exec(sql));
  expect(refused("update run_task set state = 'running'")).toMatchObject(A_HELD_TASK);
  expect(refused('update run_task set term = 1')).toMatchObject(A_HELD_TASK);
  for (const sql of [
    "update run_task set state = 'completed'",
    "update run_task set state = 'napping'",
    "update run set outcome = 'failed'",
    "update event set body = 'nonsense'",
    'update event set turn = 1',
    "update event set task_id = 'a', run_id = null",
    'update board set term = -1',
    "insert into event (sequence, at, kind, body, key, sum) values (9, 1, 'x', '{}', 'k', 0), (10, 1, 'x', '{}', 'k', 0)",
  ])
    expect(refused(sql)).toMatchObject({ code: expect.stringContaining('SQLITE_CONSTRAINT') });
});

test('what is asked all the time is found without looking at all of it, or sorting', () => {
  const file = newFile();
  open(file);
  const database = raw(file);
  const parameters = { after: 0, limit: 1, run: '', task: '', key: '', id: '', root: '' };
  for (const sql of Object.values(SQL).filter((text) => text.startsWith('select'))) {
    const rows = database.prepare(`explain query plan ${sql}`).all(parameters);
    const plan = JSON.stringify(rows);
    expect(`${sql}: ${plan}`).not.toMatch(
      MAY_SCAN.has(sql) ? /AUTOMATIC/ : /SCAN (?!CONSTANT)|TEMP B-TREE/,
    );
  }
});

test('the events of one run are read by an index, and so is a key', () => {
  const file = newFile();
  open(file);
  const database = raw(file);
  const planOf = (sql: string): string =>
    JSON.stringify(
      database.prepare(`explain query plan ${sql}`).all({ after: 0, limit: 1, run: '', key: '' }),
    );
  expect(planOf(SQL.eventsOfRun)).toContain('event_of_run (run_id=? AND sequence>?)');
  expect(planOf(SQL.observationsOf)).toContain('observation_of_run (run_id=?)');
  expect(planOf(SQL.hasKey)).toContain('event_key (key=?)');
  expect(planOf(SQL.tasksOfRun)).toContain('task_of_run (run_id=?)');
});

test('a copy of the files in the middle of the work is a sound database', () => {
  const file = newFile();
  const copy = path.join(path.dirname(file), 'copy.db');
  const store = writer(file);
  store.record([submitted()]);
  for (const suffix of ['', '-wal']) copyFileSync(file + suffix, copy + suffix);
  const copied = open(copy);
  expect(copied.runs(9)).toHaveLength(1);
  expect(copied.movedAside).toBeUndefined();
});

test('a claim by the scheduler and its end are written in one piece with what is theirs', () => {
  const file = newFile();
  const store = writer(file);
  store.record([submitted()]);
  const other = open(file);
  store.together(() => {
    claim(store);
    claim(store, claimOf({ task: taskId('b') }));
    expect(other.lastSequence()).toBe(1);
  });
  expect(other.lastSequence()).toBe(3);
});

const A_HELD_TASK = { message: expect.stringContaining('a_held_task_has_a_term') };
/** What is shown: all runs, of which there are few. */
const MAY_SCAN: ReadonlySet<string> = new Set([SQL.runs]);
