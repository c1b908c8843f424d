import SqliteDatabase from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { instant } from '../../../server/domain/time.ts';
import { migrate } from '../../../server/store/migrate.ts';
import { OperationTable } from '../../../server/store/operation-table.ts';
import { prepareStatements } from '../../../server/store/statements.ts';

const KEPT = 100_000;
const WEEK_MS = 7 * 86_400_000;

function newTable(): { table: OperationTable; add: (count: number, at: number) => void } {
  const database = new SqliteDatabase(':memory:');
  onTestFinished(() => void database.close());
  migrate(database);
  const table = new OperationTable(database, prepareStatements(database));
  const add = database.transaction((count: number, at: number) => {
    const from = table.last;
    for (let number = from + 1; number <= from + count; number += 1)
      table.add(`operation ${number}`, { at: instant(at) });
  });
  return { table, add };
}

test('the newest operations are kept, the others are not', () => {
  const { table, add } = newTable();
  add(KEPT + 2000, 5);
  expect(table.find('operation 2000')).toBeUndefined();
  expect(table.find('operation 2001')).toEqual({});
  expect(table.find(`operation ${KEPT + 2000}`)).toEqual({});
}, 30_000);

test('operations of more than a week ago go when others come', () => {
  const { table, add } = newTable();
  add(10, 5);
  add(10, WEEK_MS + 5);
  add(980, WEEK_MS + 6);
  expect(table.find('operation 10')).toBeUndefined();
  expect(table.find('operation 11')).toEqual({});
});
