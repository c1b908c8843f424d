import { existsSync, renameSync } from 'node:fs';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { StoreError } from '../engine/store-error.ts';

const BUSY_TIMEOUT_MS = 5000;

/** Opens or creates a database file; every failure is a `StoreError` with a sentence for the user. */
export function openDatabase(file: string, busyTimeoutMs = BUSY_TIMEOUT_MS): Database {
  return asStoreError(() => new SqliteDatabase(file, { timeout: busyTimeoutMs }), file);
}

/**
 * Opens the board's database, and moves a damaged one aside first: its tasks are in the plans, so a
 * new file loses the history of runs and nothing else.
 */
export function openBoardDatabase(file: string): { database: Database; movedAside?: string } {
  const database = openDatabase(file);
  try {
    if (isSound(database)) return { database: configure(database, file) };
  } catch (error) {
    database.close();
    throw error;
  }
  database.close();
  const movedAside = unusedName(`${file}.damaged`);
  for (const suffix of ['', '-wal', '-shm'])
    if (existsSync(file + suffix)) renameSync(file + suffix, movedAside + suffix);
  return { database: configure(openDatabase(file), file), movedAside };
}

function configure(database: Database, file: string): Database {
  return asStoreError(() => {
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    return database;
  }, file);
}

function isSound(database: Database): boolean {
  try {
    return database.pragma('quick_check(1)', { simple: true }) === 'ok';
  } catch (error) {
    if (codeOf(error).startsWith('SQLITE_CORRUPT') || codeOf(error) === 'SQLITE_NOTADB')
      return false;
    throw worldError(error, database.name);
  }
}

function unusedName(name: string): string {
  let number = 1;
  while (existsSync(`${name}-${number}`)) number += 1;
  return `${name}-${number}`;
}

function asStoreError<T>(open: () => T, file: string): T {
  try {
    return open();
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'ERR_DLOPEN_FAILED' && code !== 'MODULE_NOT_FOUND') throw worldError(error, file);
    const firstLine = messageOf(error).split('\n')[0] ?? '';
    throw new StoreError(
      'native',
      `Interlock cannot keep its state on this machine, because SQLite does not load (${firstLine}): ` +
        'it needs Linux with glibc 2.34 or newer, Alpine, macOS or Windows, on x64 or arm64.',
      { cause: error },
    );
  }
}

/** Also for errors of later statements: what SQLite says, on which file, and what to do. */
export function worldError(error: unknown, file: string): unknown {
  const code = codeOf(error);
  if (!code.startsWith('SQLITE_')) return error;
  const advice: Readonly<Record<string, string>> = {
    SQLITE_BUSY: 'Close the program that holds the file open.',
    SQLITE_FULL: 'Free some disk space.',
    SQLITE_READONLY: 'Make the file and its folder writable.',
    SQLITE_CANTOPEN: 'Make its folder writable.',
  };
  const family = code.split('_', 2).join('_');
  return new StoreError(
    'world',
    `Interlock could not use ${file} (${messageOf(error)}). ${advice[family] ?? 'Check the disk.'}`,
    { cause: error },
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
