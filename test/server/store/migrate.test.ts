import path from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { instant } from '../../../server/domain/time.ts';
import { initial } from '../../../server/store/migrations/0001-initial.ts';
import { SqliteStore } from '../../../server/store/sqlite-store.ts';
import { claimOf } from '../../support/decisions.ts';
import { manifest, runId, taskId } from '../../support/runs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** What the first release wrote for a task in each state, in the order of the columns. */
const FIRST_ROWS = [
  ['new', 'pending', 0, null, null, null, null],
  ['back', 'pending', 1, null, null, null, '{"releasedFor":"lost"}'],
  ['taken', 'claimed', 1, 4, 40, null, null],
  ['busy', 'running', 2, 5, 50, null, '{"process":{"bootId":"b","pid":7,"startTime":"9"}}'],
  ['done', 'completed', 1, null, 60, 65, null],
  ['broken', 'failed', 1, null, 60, 66, '{"failure":{"kind":"exit","code":3}}'],
  ['dropped', 'cancelled', 1, null, null, 67, null],
  ['behind', 'skipped', 0, null, null, 68, '{"because":"broken"}'],
] as const;

const NEVER = { revision: 1, attempts: 0, failures: 0, losses: 0 };
const ONCE = { ...NEVER, attempts: 1 };
const worker = 'runner/local';
const process = { bootId: 'b', pid: 7, startTime: '9' };

const READ_NOW = {
  new: { kind: 'pending', tries: NEVER },
  back: { kind: 'pending', tries: ONCE, releasedFor: 'lost' },
  taken: { kind: 'claimed', tries: ONCE, term: 4, worker, claimedAt: 40 },
  busy: {
    kind: 'running',
    tries: { ...NEVER, attempts: 2 },
    term: 5,
    worker,
    startedAt: 50,
    process,
  },
  done: { kind: 'completed', tries: ONCE, startedAt: 60, finishedAt: 65 },
  broken: {
    kind: 'failed',
    tries: ONCE,
    startedAt: 60,
    finishedAt: 66,
    failure: { kind: 'exit', code: 3 },
  },
  dropped: { kind: 'cancelled', tries: ONCE, finishedAt: 67 },
  behind: { kind: 'skipped', tries: NEVER, because: 'broken', finishedAt: 68 },
};

/** A board as the first release left it: a finished run, then an unfinished one. */
function firstBoard(): string {
  const file = path.join(temporaryFolder(), 'board.db');
  const database = new SqliteDatabase(file);
  database.exec(initial);
  database.pragma('user_version = 1');
  const insertRun = database.prepare(
    `insert into run (id, root, plan, manifest, requested_at, outcome, finished_at)
     values (?, '/project', 'interlock.yaml', ?, ?, ?, ?)`,
  );
  insertRun.run(runId(2), JSON.stringify(manifest(2)), 2, 'completed', 3);
  insertRun.run(runId(1), JSON.stringify(manifest(1)), 1, null, null);
  const insertTask = database.prepare(
    `insert into run_task (run_id, position, task_id, state, attempts, term, started_at,
       finished_at, detail) values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  insertTask.run(runId(2), 0, 'new', 'cancelled', 0, null, null, 3, null);
  for (const [position, row] of FIRST_ROWS.entries()) insertTask.run(runId(1), position, ...row);
  database.exec(
    `insert into event (at, run_id, what) values (1, '${runId(1)}', '{"kind":"runSubmitted"}');
     update board set term = 5`,
  );
  database.close();
  return file;
}

function raw(file: string): Database {
  const database = new SqliteDatabase(file);
  onTestFinished(() => void database.close());
  return database;
}

function open(file: string): SqliteStore {
  const store = new SqliteStore(file);
  onTestFinished(() => store.close());
  return store;
}

test('every state that the first release wrote is read as it was', () => {
  const store = open(firstBoard());
  const [run, ...others] = store.unfinishedRuns();
  expect(others).toEqual([]);
  expect(Object.fromEntries(run?.states ?? [])).toStrictEqual(READ_NOW);
  expect([...(run?.states.keys() ?? [])]).toEqual(FIRST_ROWS.map(([id]) => id));
});

test('the run that came last still counts, and the ledger and the terms go on', () => {
  const store = open(firstBoard());
  const found = store.latestStates('/project').find(({ task }) => task === 'new');
  expect(found?.run).toBe(runId(1));
  expect(store.lastSequence()).toBe(1);
  const claimed = store.commit([claimOf({ task: taskId('new') })], instant(70));
  expect(claimed).toMatchObject([{ term: 6 }]);
  expect(store.lastSequence()).toBe(2);
});

test('an old board is made anew with everything that holds it together', () => {
  const file = firstBoard();
  open(file).close();
  const [old, fresh] = [raw(file), raw(path.join(temporaryFolder(), 'board.db'))];
  open(fresh.name);
  expect(schemaOf(old)).toEqual(schemaOf(fresh));
  expect(old.pragma('foreign_key_check')).toEqual([]);
  expect(old.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(old.pragma('user_version', { simple: true })).toBe(2);
  expect(() =>
    old.exec("insert into event (at, run_id, what) values (1, 'run-nobody', '{}')"),
  ).toThrow(/FOREIGN KEY/);
});

test('a migration that fails leaves the board as it was', () => {
  const file = firstBoard();
  const database = raw(file);
  database.exec('create table new_run (id text)');
  expect(() => new SqliteStore(file)).toThrow(/new_run/);
  expect(database.pragma('user_version', { simple: true })).toBe(1);
  expect(database.prepare('select count(*) as count from run').get()).toEqual({ count: 2 });
});

function schemaOf(database: Database): readonly unknown[] {
  return database
    .prepare('select type, name, tbl_name, sql from sqlite_schema order by name')
    .all();
}
