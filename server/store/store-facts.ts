import { existsSync, statSync } from 'node:fs';
import SqliteDatabase from 'better-sqlite3';
import type { SqliteFacts, StoreFacts } from '../doctor/ports.ts';
import { StoreError } from '../engine/store-error.ts';
import { isWhole } from './damage.ts';
import { isDamage, worldError } from './database.ts';
import { hasItsSchema, refuseNewer } from './migrate.ts';
import { refuseSpecial } from './plain-file.ts';

/** Looking through so much takes a fraction of a second, in which nothing else happens. */
const MOST_BYTES = 32 * 1024 * 1024;
const PATIENCE_MS = 1000;

export function sqliteFacts(): SqliteFacts {
  try {
    const database = new SqliteDatabase(':memory:');
    const version = String(database.prepare('select sqlite_version()').pluck().get());
    database.close();
    return { kind: 'loaded', version };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', message: message.split('\n')[0] ?? '' };
  }
}

/** Looks at a board's database, and changes nothing: a damaged one stays where it is. */
export function storeFacts(file: string): StoreFacts {
  if (!existsSync(file)) return { kind: 'absent', file };
  try {
    refuseSpecial(file);
    const { size: bytes } = statSync(file);
    const isLookedThrough = bytes <= MOST_BYTES;
    if (isSound(file, isLookedThrough)) return { kind: 'sound', file, bytes, isLookedThrough };
    return { kind: 'damaged', file };
  } catch (error) {
    if (isDamage(error)) return { kind: 'damaged', file };
    const told = worldError(error, file);
    if (told instanceof StoreError) return { kind: 'unusable', message: told.message };
    throw error;
  }
}

function isSound(file: string, needsCheck: boolean): boolean {
  const database = new SqliteDatabase(file, { readonly: true, timeout: PATIENCE_MS });
  try {
    refuseNewer(database);
    return hasItsSchema(database) && (!needsCheck || isWhole(database));
  } finally {
    database.close();
  }
}
