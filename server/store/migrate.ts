import type { Database } from 'better-sqlite3';
import { assert } from '../domain/assert.ts';
import { StoreError } from '../engine/store-error.ts';
import { initial } from './migrations/0001-initial.ts';
import { attention } from './migrations/0002-attention.ts';

/** Append-only: a released migration is never edited, the next one is added below it. */
const MIGRATIONS: readonly string[] = [initial, attention];

/** Brings a database to this release's schema, each step whole or not at all. */
export function migrate(database: Database): void {
  const version = database.pragma('user_version', { simple: true });
  if (typeof version !== 'number' || version > MIGRATIONS.length)
    throw new StoreError(
      'newer',
      `A newer version of Interlock has written ${database.name}. Update this one, or close it.`,
    );
  if (version === MIGRATIONS.length) return;
  // A table that others refer to is made anew under its old name. Outside of a transaction only.
  database.pragma('foreign_keys = OFF');
  try {
    for (let index = version; index < MIGRATIONS.length; index += 1) step(database, index);
  } finally {
    database.pragma('foreign_keys = ON');
  }
}

function step(database: Database, index: number): void {
  const transaction = database.transaction(() => {
    // Another process may have got here first while this one waited for the file.
    if (database.pragma('user_version', { simple: true }) !== index) return;
    database.exec(MIGRATIONS[index] ?? '');
    const dangling = database.pragma('foreign_key_check');
    assert(Array.isArray(dangling) && dangling.length === 0, 'a migration keeps every reference');
    database.pragma(`user_version = ${index + 1}`);
  });
  transaction.immediate();
}
