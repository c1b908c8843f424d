import type { Database, Statement } from 'better-sqlite3';
import type { Instant } from '../domain/time.ts';
import type { Grant } from '../engine/store-port.ts';
import { checkSum, rowSum } from './row-sum.ts';
import type { OperationRow, Statements } from './statements.ts';

/** What came of an operation. */
interface Result {
  readonly grant?: Grant;
}

const DAY_MS = 86_400_000;

/** Whoever asks again does so soon. */
const KEPT = 100_000;
const KEPT_MS = 7 * DAY_MS;
/** The old ones go when so many new ones have come. */
const STRIDE = 1000;

/** Requests that were applied, so that whoever had no answer may ask again. */
export class OperationTable {
  /** The number of the newest one; whoever begins to write sets it to what the board says. */
  last = 0;
  readonly #statements: Statements;
  readonly #deleteOld: Statement<[{ number: number; at: number }]>;
  readonly #all: Statement<[], OperationRow>;

  constructor(database: Database, statements: Statements) {
    this.#statements = statements;
    this.#deleteOld = database.prepare(
      `delete from operation where number <= @number
         or number in (select number from operation order by number limit ${STRIDE}) and at < @at`,
    );
    this.#all = database.prepare('select id, at, result, sum from operation');
  }

  find(id: string): Result | undefined {
    const row = this.#statements.operation.get({ id });
    return row === undefined ? undefined : resultIn(row);
  }

  /** Throws where one of them is damaged. */
  check(): void {
    for (const row of this.#all.iterate()) resultIn(row);
  }

  add(id: string, { at, grant }: Result & { readonly at: Instant }): void {
    const row = { id, at, result: JSON.stringify({ grant }) };
    const { lastInsertRowid } = this.#statements.insertOperation.run({
      ...row,
      sum: rowSum(...summedOf(row)),
    });
    const number = Number(lastInsertRowid);
    this.last = number;
    if (number % STRIDE === 0) this.#deleteOld.run({ number: number - KEPT, at: at - KEPT_MS });
  }
}

function resultIn(row: OperationRow): Result {
  checkSum('operation', row.sum, summedOf(row));
  return JSON.parse(row.result);
}

function summedOf({ id, at, result }: Omit<OperationRow, 'sum'>): readonly (string | number)[] {
  return [id, at, result];
}
