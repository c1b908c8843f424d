import SqliteDatabase, { type Database } from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { Transactions } from '../../../server/store/transactions.ts';
import path from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const PAGES = 20;
const LONG = 'x'.repeat(4096 * PAGES);

/** A database on a disk that has room for little. */
function nearlyFull(): { database: Database; transactions: Transactions; said: string[] } {
  const database = new SqliteDatabase(path.join(temporaryFolder(), 'board.db'));
  onTestFinished(() => void database.close());
  database.pragma('journal_mode = WAL');
  database.exec('create table word (text text not null) strict');
  database.pragma(`max_page_count = ${PAGES}`);
  const said: string[] = [];
  const transactions = new Transactions(database, {
    before: () => said.push('before'),
    begun: () => said.push('begun'),
    ending: () => said.push('ending'),
    rolledBack: () => said.push('rolled back'),
    undone: () => said.push('undone'),
  });
  return { database, transactions, said };
}

function wordsIn(database: Database): readonly unknown[] {
  return database.prepare('select text from word').pluck().all();
}

function refuse(): never {
  throw new Error('gone');
}

test('when the disk is full nothing of the write is left, and the next one can be written', () => {
  const { database, transactions, said } = nearlyFull();
  const insert = database.prepare('insert into word values (?)');
  const fill = (): void => {
    insert.run('short');
    insert.run(LONG);
  };
  expect(() => transactions.run(fill)).toThrow(expect.objectContaining({ code: 'SQLITE_FULL' }));
  expect([wordsIn(database), database.inTransaction]).toEqual([[], false]);
  transactions.run(() => insert.run('again'));
  expect(wordsIn(database)).toEqual(['again']);
  expect(said).toEqual(['before', 'begun', 'rolled back', 'before', 'begun', 'ending']);
});

test('a part that answers with nothing is taken back, and the rest is written', () => {
  const { database, transactions, said } = nearlyFull();
  const insert = database.prepare('insert into word values (?)');
  transactions.run(() => {
    insert.run('kept');
    transactions.attempt(() => {
      insert.run('not kept');
      return undefined;
    });
    transactions.attempt(() => insert.run('kept too'));
  });
  expect(wordsIn(database)).toEqual(['kept', 'kept too']);
  expect(said).toEqual(['before', 'begun', 'undone', 'ending']);
});

test('what may not be written is not begun', () => {
  const database = new SqliteDatabase(':memory:');
  onTestFinished(() => void database.close());
  const quiet = { begun: refuse, ending: refuse, rolledBack: refuse, undone: refuse };
  const transactions = new Transactions(database, { before: refuse, ...quiet });
  expect(() => transactions.run(() => 1)).toThrow('gone');
  expect(database.inTransaction).toBe(false);
});

test('a file that somebody else writes to for long is said to be so, and tried again later', () => {
  const { database, transactions } = nearlyFull();
  database.pragma('busy_timeout = 0');
  const other = new SqliteDatabase(database.name);
  onTestFinished(() => void other.close());
  other.exec('begin immediate');
  const insert = database.prepare('insert into word values (?)');
  expect(() => transactions.run(() => insert.run('one'))).toThrow(
    expect.objectContaining({ code: 'SQLITE_BUSY' }),
  );
  other.exec('rollback');
  transactions.run(() => insert.run('two'));
  expect(wordsIn(database)).toEqual(['two']);
});
