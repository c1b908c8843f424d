import { existsSync } from 'node:fs';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { ReopeningStore } from '../../../server/store/reopening-store.ts';
import { SqliteStore } from '../../../server/store/sqlite-store.ts';
import { claim, submitted } from '../../support/contracts/board-on-trial.ts';
import { claimOf } from '../../support/decisions.ts';
import { definition, runId } from '../../support/runs.ts';
import { StoreClock } from '../../support/store-clock.ts';
import { methodsOf } from '../../support/store-methods.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** So many tasks make a file that is not looked through whenever it is opened. */
const MANY = 4000;
const FAILED = { reason: 'disk', message: expect.stringContaining('Check the disk.') };

/** A board on a disk that fails while `isFailing`, at the end of each transaction. */
class Trial {
  readonly file = path.join(temporaryFolder(), 'board.db');
  readonly aside: string[] = [];
  readonly store: ReopeningStore;
  isFailing = false;
  opened = 0;

  constructor() {
    const clock = new StoreClock();
    const open = (): SqliteStore => new SqliteStore(this.file, { clock });
    this.store = new ReopeningStore({
      file: () => this.file,
      holdsLock: () => true,
      open: () => {
        this.opened += 1;
        const store = open();
        const together = <T>(write: () => T): T =>
          store.together(() => {
            const result = write();
            this.failWhereItFails();
            return result;
          });
        const record: SqliteStore['record'] = (...args) => together(() => store.record(...args));
        const { movedAside } = store;
        const hasCopy = (): boolean => store.hasCopy();
        const makeCopy: SqliteStore['makeCopy'] = (mayPublish) => store.makeCopy(mayPublish);
        return { ...methodsOf(store), together, record, hasCopy, makeCopy, movedAside };
      },
      onMovedAside: (name) => this.aside.push(name),
    });
    onTestFinished(() => this.store.close());
  }

  failWhereItFails(): void {
    if (this.isFailing)
      throw new SqliteDatabase.SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC');
  }

  /** Answers with what is said of it. */
  fail(): unknown {
    this.isFailing = true;
    try {
      return this.store.record([submitted(2)]);
    } catch (error) {
      return error;
    } finally {
      this.isFailing = false;
    }
  }
}

test('after the disk has failed nothing is written until another tenure begins on a file opened anew', () => {
  const trial = new Trial();
  const { store } = trial;
  const tenure = store.beginTenure();
  store.record([submitted()]);
  const term = claim(store);
  expect(trial.fail()).toMatchObject(FAILED);
  const refused = expect.objectContaining(FAILED);
  expect(() => store.record([submitted(2)])).toThrow(refused);
  expect(() => store.together(() => 1)).toThrow(refused);
  expect(() => claim(store, claimOf({ task: definition('b').id }))).toThrow(refused);
  expect([trial.opened, store.runs(9).length, trial.opened]).toEqual([1, 1, 2]);
  expect(() => store.record([submitted(2)])).toThrow(refused);
  expect(store.beginTenure()).toBe(tenure + 1);
  store.record([submitted(2)]);
  expect(claim(store, claimOf({ task: definition('a').id, run: runId(2) }))).toBe(term + 1);
  expect([trial.opened, trial.aside]).toEqual([2, []]);
});

test('a file on which a disk has failed is looked through, however large, and damage is told', () => {
  const trial = new Trial();
  const { store, file } = trial;
  store.beginTenure();
  const tasks = Array.from({ length: MANY }, (_, number) => definition(`t${number}`));
  store.record([submitted(1, { tasks })]);
  expect(trial.fail()).toMatchObject(FAILED);
  expect(existsSync(`${file}-suspect`)).toBe(true);
  const database = new SqliteDatabase(file);
  database.exec("update event set at = at + 1 where kind = 'runSubmitted'");
  database.close();
  expect(store.lastSequence()).toBe(0);
  expect(trial.aside).toEqual([`${file}.damaged-1`]);
  expect(existsSync(`${file}-suspect`)).toBe(false);
});

test('whoever watches a board goes on watching it after the disk has failed', async () => {
  const trial = new Trial();
  const { store, file } = trial;
  const hinted = Promise.withResolvers<void>();
  const watching = store.watch(() => hinted.resolve());
  onTestFinished(() => watching[Symbol.dispose]());
  store.beginTenure();
  expect(trial.fail()).toMatchObject(FAILED);
  expect(store.lastSequence()).toBe(0);
  const other = new SqliteStore(file, { clock: new StoreClock() });
  onTestFinished(() => other.close());
  other.beginTenure();
  other.record([submitted()]);
  await hinted.promise;
  expect(store.lastSequence()).toBe(1);
});

test('a store that is closed after the disk has failed stays closed', () => {
  const trial = new Trial();
  trial.store.beginTenure();
  expect(trial.fail()).toMatchObject(FAILED);
  trial.store.close();
  trial.store.close();
  expect(() => trial.store.lastSequence()).toThrow(expect.objectContaining(FAILED));
  expect(trial.opened).toBe(1);
});
