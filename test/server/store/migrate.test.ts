import path from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { migrate, schemaSumOf } from '../../../server/store/migrate.ts';
import { initial } from '../../../server/store/migrations/0001-initial.ts';
import { attention } from '../../../server/store/migrations/0002-attention.ts';
import { observations } from '../../../server/store/migrations/0004-observations.ts';
import { SqliteStore } from '../../../server/store/sqlite-store.ts';
import { claim, folded, kept } from '../../support/contracts/board-on-trial.ts';
import { claimOf } from '../../support/decisions.ts';
import { FIRST_EVENTS, FIRST_ROWS, oldBoard, ONCE, READ_NOW } from '../../support/old-board.ts';
import { runId, taskId } from '../../support/runs.ts';
import { StoreClock } from '../../support/store-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function raw(file: string): Database {
  const database = new SqliteDatabase(file);
  onTestFinished(() => void database.close());
  return database;
}

function open(file: string): SqliteStore {
  const store = new SqliteStore(file, { clock: new StoreClock() });
  onTestFinished(() => store.close());
  return store;
}

for (const version of [1, 2] as const) {
  test(`every state that release ${version} wrote is read as it was`, () => {
    const store = open(oldBoard({ version }));
    expect(Object.fromEntries(store.statesOf(runId(1)))).toStrictEqual(READ_NOW);
    expect([...store.statesOf(runId(1)).keys()]).toEqual(FIRST_ROWS.map(([id]) => id));
    expect(store.movedAside).toBeUndefined();
  });

  test(`whoever reads the ledger of release ${version} comes to the states that it kept`, () => {
    const store = open(oldBoard({ version }));
    const { entries, base } = store.snapshot();
    expect(folded(entries)).toEqual(kept(store));
    expect(Object.keys(kept(store))).toEqual([runId(1)]);
    expect(entries.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: FIRST_EVENTS.length + 5 }, (_, index) => index + 1),
    );
    expect(base).toBeUndefined();
  });

  test(`a run of release ${version} of which the ledger does not tell ends, and nothing else`, () => {
    const file = oldBoard({ version, events: FIRST_EVENTS.slice(1) });
    const store = open(file);
    expect(store.runs(9)).toMatchObject([{ outcome: 'superseded' }, { outcome: 'completed' }]);
    const {
      new: waiting,
      back,
      taken,
      busy,
      ...ended
    } = Object.fromEntries(store.statesOf(runId(1)));
    const kinds = [waiting, back, taken, busy].map((state) => state?.kind);
    expect(kinds).toEqual(['cancelled', 'cancelled', 'cancelled', 'cancelled']);
    const { broken, dropped, done, behind } = READ_NOW;
    expect(ended).toEqual({
      broken: { ...broken, tries: ONCE },
      dropped,
      done,
      behind,
    });
    expect(folded(store.snapshot().entries)).toEqual({});
    const last = store.eventsOfRun(runId(1), 0, 99).at(-1);
    expect(last?.event).toMatchObject({ kind: 'runFinished', outcome: 'superseded' });
    store.close();
    expect(open(file).movedAside).toBeUndefined();
  });

  test(`a board of release ${version} is made anew with everything that holds it together`, () => {
    const file = oldBoard({ version });
    open(file).close();
    const again = open(file);
    expect(again.movedAside).toBeUndefined();
    again.close();
    const [old, fresh] = [raw(file), raw(path.join(temporaryFolder(), 'board.db'))];
    open(fresh.name);
    expect(schemaOf(old)).toEqual(schemaOf(fresh));
    expect(old.pragma('foreign_key_check')).toEqual([]);
    expect(old.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(old.pragma('user_version', { simple: true })).toBe(8);
  });
}

test('the run that came last still counts, and the ledger and the terms go on', () => {
  const store = open(oldBoard({ version: 2 }));
  const found = store.latestStates('/project').find(({ task }) => task === 'new');
  expect(found?.run).toBe(runId(1));
  const last = store.lastSequence();
  store.beginTenure();
  expect(claim(store, claimOf({ task: taskId('new') }))).toBe(8);
  expect(store.lastSequence()).toBe(last + 1);
});

test('a run that nobody carried on is still interrupted', () => {
  const file = oldBoard({ version: 2 });
  const database = raw(file);
  database.exec('update run set interrupted_at = 70 where outcome is null');
  const store = open(file);
  expect(store.runs(1)).toMatchObject([{ status: 'interrupted' }]);
  expect(store.snapshot().entries.at(-1)?.event.kind).toBe('runInterrupted');
});

test('a migration that fails leaves the board as it was', () => {
  const file = oldBoard({ version: 2 });
  const database = raw(file);
  database.pragma('ignore_check_constraints = on');
  database.exec("update event set what = 'nonsense' where sequence = 4");
  expect(() => migrate(database)).toThrow('nonsense');
  expect(database.pragma('user_version', { simple: true })).toBe(2);
  expect(database.prepare('select count(*) as count from event').get()).toEqual({ count: 21 });
});

test('every release is known by what its boards consist of', () => {
  const versions = [initial, attention].map((_, index) => {
    const database = raw(':memory:');
    database.exec(initial);
    if (index > 0) database.exec(attention);
    return schemaSumOf(database);
  });
  const now = raw(':memory:');
  migrate(now);
  const sum = schemaSumOf(now);
  now.exec(UNDO_FOURTH);
  versions.push(schemaSumOf(now));
  now.exec(observations);
  versions.push(schemaSumOf(now));
  // The fifth to the seventh add words to the ledger, and nothing to its tables.
  expect([...versions, sum]).toEqual([
    1_990_111_142, 2_641_029_934, 3_048_732_391, 2_726_871_134, 370_710_253,
  ]);
});

const UNDO_FOURTH = 'drop index observation_of_run; pragma user_version = 3';

test('a board of release 3 goes on as it is, and earlier releases leave it alone from then on', () => {
  const file = path.join(temporaryFolder(), 'board.db');
  open(file).close();
  const database = raw(file);
  database.exec(UNDO_FOURTH);
  expect(open(file).movedAside).toBeUndefined();
  expect(database.pragma('user_version', { simple: true })).toBe(8);
  expect(schemaSumOf(database)).toBe(370_710_253);
});

function schemaOf(database: Database): readonly unknown[] {
  return database
    .prepare('select type, name, tbl_name, sql from sqlite_schema order by name')
    .all();
}
