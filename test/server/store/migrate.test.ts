import path from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { RunId } from '../../../server/domain/ids.ts';
import { migrate, schemaSumOf } from '../../../server/store/migrate.ts';
import { initial } from '../../../server/store/migrations/0001-initial.ts';
import { attention } from '../../../server/store/migrations/0002-attention.ts';
import { SqliteStore } from '../../../server/store/sqlite-store.ts';
import { claim, folded, kept } from '../../support/contracts/board-on-trial.ts';
import { claimOf } from '../../support/decisions.ts';
import { definition, manifest, runId, taskId } from '../../support/runs.ts';
import { StoreClock } from '../../support/store-clock.ts';
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

const process = { bootId: 'b', pid: 7, startTime: '9' };

/** And what it wrote on the way there: a task, what happened to it, and when. */
const FIRST_EVENTS = [
  ['back', { kind: 'taskClaimed', term: 1, at: 20 }],
  ['back', { kind: 'taskReleased', term: 1, at: 21, reason: 'lost' }],
  ['busy', { kind: 'taskClaimed', term: 2, at: 30 }],
  ['busy', { kind: 'taskReleased', term: 2, at: 31, reason: 'lost' }],
  ['done', { kind: 'taskClaimed', term: 3, at: 59 }],
  ['done', { kind: 'taskStarted', term: 3, at: 60, process }],
  ['done', { kind: 'taskCompleted', term: 3, at: 65 }],
  ['broken', { kind: 'taskClaimed', term: 6, at: 59 }],
  ['broken', { kind: 'taskStarted', term: 6, at: 60, process }],
  ['broken', { kind: 'taskFailed', term: 6, at: 66, failure: { kind: 'exit', code: 3 } }],
  ['dropped', { kind: 'taskClaimed', term: 7, at: 60 }],
  ['dropped', { kind: 'taskCancelled', at: 67 }],
  ['behind', { kind: 'taskSkipped', at: 68, because: 'broken' }],
  ['taken', { kind: 'taskClaimed', term: 4, at: 40 }],
  ['busy', { kind: 'taskClaimed', term: 5, at: 49 }],
  ['busy', { kind: 'taskStarted', term: 5, at: 50, process }],
] as const;

const NEVER = { revision: 1, attempts: 0, failures: 0, losses: 0 };
const ONCE = { ...NEVER, attempts: 1 };
const worker = 'runner/local';

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
    tries: { ...ONCE, failures: 1 },
    startedAt: 60,
    finishedAt: 66,
    failure: { kind: 'exit', code: 3 },
  },
  dropped: { kind: 'cancelled', tries: ONCE, finishedAt: 67 },
  behind: { kind: 'skipped', tries: NEVER, because: 'broken', finishedAt: 68 },
};

interface OldBoard {
  readonly version: 1 | 2;
  /** Left out: as much as leads to the rows. */
  readonly events?: readonly (readonly [string, object])[];
}

/** A board as an earlier release left it: a finished run, then an unfinished one. */
function oldBoard({ version, events = FIRST_EVENTS }: OldBoard): string {
  const file = path.join(temporaryFolder(), 'board.db');
  const database = new SqliteDatabase(file);
  database.exec(initial);
  if (version === 2) database.exec(attention);
  database.pragma(`user_version = ${version}`);
  const insertRun = database.prepare(
    `insert into run (id, root, plan, manifest, requested_at, outcome, finished_at)
     values (?, '/project', 'interlock.yaml', ?, ?, ?, ?)`,
  );
  const tasks = FIRST_ROWS.map(([id]) => definition(id));
  insertRun.run(runId(2), JSON.stringify(manifest(2)), 2, 'completed', 3);
  insertRun.run(runId(1), JSON.stringify(manifest(1, { tasks })), 1, null, null);
  const insertTask = database.prepare(
    `insert into run_task (run_id, position, task_id, state, attempts, term, started_at,
       finished_at, detail) values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  insertTask.run(runId(2), 0, 'new', 'cancelled', 0, null, null, 3, null);
  for (const [position, row] of FIRST_ROWS.entries()) insertTask.run(runId(1), position, ...row);
  const insertEvent = database.prepare('insert into event (at, run_id, what) values (?, ?, ?)');
  const say = (what: object, run: RunId): unknown => insertEvent.run(9, run, JSON.stringify(what));
  say({ kind: 'runSubmitted' }, runId(2));
  say({ kind: 'runFinished', outcome: 'completed' }, runId(2));
  say({ kind: 'runSubmitted' }, runId(1));
  say({ kind: 'runInterrupted' }, runId(1));
  say({ kind: 'runResumed' }, runId(1));
  for (const [task, event] of events) say({ kind: 'taskMoved', task, event }, runId(1));
  database.exec('update board set term = 7');
  database.close();
  return file;
}

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
    expect(old.pragma('user_version', { simple: true })).toBe(3);
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
  expect([...versions, schemaSumOf(now)]).toEqual([1_990_111_142, 2_641_029_934, 3_048_732_391]);
});

function schemaOf(database: Database): readonly unknown[] {
  return database
    .prepare('select type, name, tbl_name, sql from sqlite_schema order by name')
    .all();
}
