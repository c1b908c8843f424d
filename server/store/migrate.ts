import type { Database } from 'better-sqlite3';
import { initial } from './migrations/0001-initial.ts';
import { StoreError } from '../engine/store-error.ts';

/** Append-only: a released migration is never edited, the next one is added below it. */
const MIGRATIONS: readonly string[] = [initial];

/** Brings a database to this release's schema, each step whole or not at all. */
export function migrate(database: Database): void {
  const version = database.pragma('user_version', { simple: true });
  if (typeof version !== 'number' || version > MIGRATIONS.length)
    throw new StoreError(
      'newer',
      `A newer version of Interlock has written ${database.name}. Update this one, or close it.`,
    );
  for (const [index, sql] of MIGRATIONS.entries()) {
    if (index < version) continue;
    const step = database.transaction(() => {
      // Another process may have got here first while this one waited for the file.
      if (database.pragma('user_version', { simple: true }) !== index) return;
      database.exec(sql);
      database.pragma(`user_version = ${index + 1}`);
    });
    step.immediate();
  }
}
