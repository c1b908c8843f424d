import path from 'node:path';
import type { Database } from 'better-sqlite3';
import { rowSum } from './row-sum.ts';
import { type EventRow, eventWithBody } from './ledger-rows.ts';
import { checkedRun, movedRunRow, type WholeRunRow } from './run-rows.ts';
import type { Statements } from './statements.ts';

export interface Move {
  readonly from: string;
  readonly to: string;
}

/**
 * Writes the new path of a working tree wherever the board says the old one. The ledger goes on as it was:
 * no event is added or lost, and a task that ran in the folder before it was renamed ran in this folder.
 *
 * Invariant: called only with the board's lock, before anything is decided for the new path.
 */
export function relocate(database: Database, statements: Statements, move: Move): void {
  const write = database.transaction(() => {
    relocateRuns(database, statements, move);
    relocateEvents(database, move);
    relocateBase(statements, move);
  });
  write.immediate();
}

function relocateRuns(database: Database, statements: Statements, move: Move): void {
  const rows = database.prepare<[], WholeRunRow>('select * from run').all();
  for (const row of rows) {
    const manifest = relocated(row.manifest, move);
    if (manifest !== undefined) statements.reviseRun.run(movedRunRow(checkedRun(row), manifest));
  }
}

function relocateEvents(database: Database, move: Move): void {
  const update = database.prepare<[Pick<EventRow, 'sequence' | 'body' | 'sum'>]>(
    'update event set body = @body, sum = @sum where sequence = @sequence',
  );
  const rows = database
    .prepare<[{ from: string }], EventRow>('select * from event where instr(body, @from) > 0')
    .all({ from: JSON.stringify(move.from).slice(1, -1) });
  for (const row of rows) {
    const body = relocated(row.body, move);
    if (body === undefined) continue;
    const { sequence, sum } = eventWithBody(row, body);
    update.run({ sequence, body, sum });
  }
}

function relocateBase(statements: Statements, move: Move): void {
  const base = statements.base.get();
  const facts = base === undefined ? undefined : relocated(base.facts, move);
  if (base === undefined || facts === undefined) return;
  statements.replaceBase.run({ ...base, facts, sum: rowSum(base.revision, facts) });
}

/** Keys whose values are absolute paths of working trees or of folders in them. */
const PATH_KEYS: ReadonlySet<string> = new Set(['root', 'tree']);

/** The JSON with its paths changed; undefined if it has none of them. */
function relocated(text: string, { from, to }: Move): string | undefined {
  let hasChanged = false;
  const value: unknown = JSON.parse(text, (key, each: unknown) => {
    if (!PATH_KEYS.has(key) || typeof each !== 'string' || !isBelow(each, from)) return each;
    hasChanged = true;
    return to + each.slice(from.length);
  });
  return hasChanged ? JSON.stringify(value) : undefined;
}

/** What works in a tree of its own has the name of the shared tree, "#" and its own. */
function isBelow(each: string, from: string): boolean {
  return each === from || each.startsWith(from + path.sep) || each.startsWith(`${from}#`);
}
