import type { Database } from 'better-sqlite3';
import { assert } from '../domain/assert.ts';
import { StoreError } from '../engine/store-error.ts';
import { initial } from './migrations/0001-initial.ts';
import { attention } from './migrations/0002-attention.ts';
import { ledger } from './migrations/0003-ledger.ts';
import { observations } from './migrations/0004-observations.ts';
import { drainedWorkers } from './migrations/0005-drained-workers.ts';
import { dismissedWrites } from './migrations/0006-dismissed-writes.ts';
import { untoldLosses } from './migrations/0007-untold-losses.ts';
import { shellWrites } from './migrations/0008-shell-writes.ts';
import { convertLedger } from './migrations/convert-ledger.ts';
import { rowSum } from './row-sum.ts';

interface Migration {
  readonly apply: (database: Database) => void;
  /** Of all that the database consists of afterwards, so that another one is known by it. */
  readonly schemaSum: number;
}

/** Append-only: a released migration is never edited, the next one is added below it. */
const MIGRATIONS: readonly Migration[] = [
  { apply: (database) => database.exec(initial), schemaSum: 1_990_111_142 },
  { apply: (database) => database.exec(attention), schemaSum: 2_641_029_934 },
  {
    apply: (database) => {
      database.exec(ledger);
      convertLedger(database);
    },
    schemaSum: 3_048_732_391,
  },
  { apply: (database) => database.exec(observations), schemaSum: 2_726_871_134 },
  { apply: (database) => database.exec(drainedWorkers), schemaSum: 2_726_871_134 },
  { apply: (database) => database.exec(dismissedWrites), schemaSum: 2_726_871_134 },
  { apply: (database) => database.exec(untoldLosses), schemaSum: 2_726_871_134 },
  { apply: (database) => database.exec(shellWrites), schemaSum: 370_710_253 },
];

/** Brings a database to this release's schema, each step whole or not at all; or throws. */
export function migrate(database: Database): true {
  refuseNewer(database);
  const version = versionOf(database);
  if (version === MIGRATIONS.length) return true;
  database.function('row_sum', { varargs: true, deterministic: true }, rowSum);
  // A table that others refer to is made anew under its old name. Outside of a transaction only.
  database.pragma('foreign_keys = OFF');
  try {
    for (let index = version; index < MIGRATIONS.length; index += 1) step(database, index);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new StoreError(
      'world',
      `Interlock could not take over ${database.name} from an earlier version (${why}). ` +
        'Nothing in it was changed. Move the file away to begin a new one.',
      { cause },
    );
  } finally {
    database.pragma('foreign_keys = ON');
  }
  return true;
}

/** Before anything about the file is changed. */
export function refuseNewer(database: Database): void {
  const version = versionOf(database);
  if (version <= MIGRATIONS.length) return;
  throw new StoreError(
    'newer',
    `A newer version of Interlock has written ${database.name} (form ${version}, and this one knows ` +
      `${MIGRATIONS.length}). Update Interlock here, or go on with the newer one. The file is as it was.`,
  );
}

/** Whether this release has nothing to do to it. */
export function isCurrent(database: Database): boolean {
  return versionOf(database) === MIGRATIONS.length;
}

/** The same again and again, for whoever writes to it: a later release may have taken it over meanwhile. */
export function stillCurrent(database: Database): () => boolean {
  const version = database.prepare('pragma user_version').pluck();
  return () => version.get() === MIGRATIONS.length;
}

/** Nobody has written to it. */
export function isBlank(database: Database): boolean {
  return versionOf(database) === 0;
}

/** Whether it consists of what a database of its version does. */
export function hasItsSchema(database: Database): boolean {
  // As of one moment: somebody may be bringing it to a later version.
  const look = database.transaction(() => {
    const expected = MIGRATIONS[versionOf(database) - 1]?.schemaSum ?? rowSum();
    return schemaSumOf(database) === expected;
  });
  return look();
}

/** SQLite keeps tables of its own for whoever asks it to; they change nothing. */
export function schemaSumOf(database: Database): number {
  const select = database.prepare<[], string>(
    `select sql from sqlite_schema where sql is not null and name not like 'sqlite_%' order by name`,
  );
  return rowSum(...select.pluck().all());
}

function versionOf(database: Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}

function step(database: Database, index: number): void {
  const transaction = database.transaction(() => {
    // Another process may have got here first while this one waited for the file.
    if (versionOf(database) !== index) return;
    MIGRATIONS[index]?.apply(database);
    const dangling = database.pragma('foreign_key_check');
    assert(Array.isArray(dangling) && dangling.length === 0, 'a migration keeps every reference');
    database.pragma(`user_version = ${index + 1}`);
  });
  transaction.immediate();
}
