import type { Database } from 'better-sqlite3';
import { rowToBoard } from './board-row.ts';
import { type EventRow, rowToEntry } from './ledger-rows.ts';
import { statesIn } from './ledger-writer.ts';
import { isCurrent } from './migrate.ts';
import { OperationTable } from './operation-table.ts';
import { Rebase } from './rebase.ts';
import { DamagedRow } from './row-sum.ts';
import { rowToRecord, tasksSumOf, type WholeRunRow } from './run-rows.ts';
import { prepareStatements, SQL, type Statements } from './statements.ts';

/** Looks through all of a database: its structure, and what each row says of itself. */
export function isWhole(database: Database): boolean {
  // As of one moment: somebody may be writing meanwhile.
  const look = database.transaction(() => {
    if (database.pragma('integrity_check(1)', { simple: true }) !== 'ok') return false;
    // What an older release wrote has no sums.
    if (isCurrent(database)) checkRows(database);
    return true;
  });
  return look();
}

function checkRows(database: Database): void {
  const statements = prepareStatements(database);
  const board = statements.board.get();
  if (board === undefined) throw new DamagedRow('the row of the board is gone');
  const { sequence: last, baseRevision, operation } = rowToBoard(board);
  const { revision } = new Rebase(database, statements).read();
  new OperationTable(database, statements).check();
  agree('operations', [statements.lastOperation.get()?.number, operation]);
  agree('base', [revision, baseRevision]);
  for (const row of statements.runs.all({ limit: -1 })) checkRun(statements, row);
  const orphans = database.pragma('foreign_key_check(run_task)');
  agree('runs', [Array.isArray(orphans) && orphans.length, 0]);
  let sequence = revision;
  for (const row of database.prepare<[Page], EventRow>(SQL.eventsAfter).iterate(ALL)) {
    const entry = rowToEntry(row);
    if (entry.sequence <= revision) continue;
    sequence += 1;
    agree('ledger', [entry.sequence, sequence]);
  }
  agree('ledger', [sequence, last]);
}

function checkRun(statements: Statements, row: WholeRunRow): void {
  const { id } = row;
  rowToRecord(row);
  const tasks = [...statesIn(statements, id).keys()];
  agree(`tasks of ${id}`, [tasksSumOf(tasks), row.tasks_sum]);
  // It need not be the first of it: nobody checks whether what is marked is there.
  agree(`ledger of ${id}`, [statements.submission.get({ run: id })?.found, 1]);
}

function agree(what: string, [said, written]: readonly [unknown, unknown]): void {
  if (said !== written) throw new DamagedRow(`something is missing in the ${what}`);
}

interface Page {
  readonly after: number;
  readonly limit: number;
}

const ALL: Page = { after: -1, limit: -1 };
