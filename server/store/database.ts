import {
  closeSync,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { assert } from '../domain/assert.ts';
import { displayText } from '../domain/display-text.ts';
import { StoreError, WriterBusy } from '../engine/store-error.ts';
import { isWhole } from './damage.ts';
import { hasItsSchema, isBlank, migrate, refuseNewer } from './migrate.ts';
import { refuseSpecial } from './plain-file.ts';
import { DamagedRow } from './row-sum.ts';
import { termsFileOf } from './term-reserve.ts';
import { suspendedUserOf, type Writer, writerOf } from './writer-of.ts';

const BUSY_TIMEOUT_MS = 5000;
/** Looking through so much takes a few milliseconds, and is done each time. */
const SMALL_BYTES = 256 * 1024;
/** And this some tens of milliseconds. */
const MEDIUM_BYTES = 8 * 1024 * 1024;
/** Before it two connections could damage a file between them. */
const FIRST_SAFE_VERSION = [3, 51, 3] as const;

/** Opens or creates a database file; every failure is a `StoreError` with a sentence for the user. */
export function openDatabase(file: string, busyTimeoutMs = BUSY_TIMEOUT_MS): Database {
  return asStoreError(() => {
    refuseSpecial(file);
    makePrivate(file);
    return new SqliteDatabase(file, { timeout: busyTimeoutMs });
  }, file);
}

/** SQLite makes its files readable to all, as far as the umask lets it; what it puts beside one is like it. */
function makePrivate(file: string): void {
  if (existsSync(file)) return;
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch {
    // Another process has made it, or SQLite says why it cannot be made.
  }
}

/**
 * Opens the board's database, and moves a damaged one aside first: its tasks are in the plans, so a
 * new file loses the history of runs and nothing else.
 */
export function openBoardDatabase(file: string): OpenedDatabase {
  const needsCheck = isSuspect(file);
  const database = existsSync(file) ? openDatabase(file) : undefined;
  if (database === undefined) return beginDatabase(file);
  const look = { needsCheck, mayBeBlank: false };
  const isUsable = closedUnless(database, () => isSound(database, look));
  return isUsable ? { database } : beginDatabase(file);
}

export interface OpenedDatabase {
  readonly database: Database;
  /** Where a damaged file was moved to. */
  readonly movedAside?: string;
}

/** The next to open it looks through all of it. */
export function markSuspect(file: string): void {
  try {
    if (!existsSync(suspectFile(file))) writeFileSync(suspectFile(file), '', { mode: 0o600 });
  } catch {
    // Then it is noticed again when the same part is read again.
  }
}

/** Of several who find none, or a damaged one, one begins a new one, and the others find that. */
function beginDatabase(file: string): OpenedDatabase {
  const gate = openDatabase(`${file}-gate`);
  try {
    asStoreError(() => gate.exec('begin exclusive'), gate.name);
    const found = existsSync(file) ? soundDatabase(file) : undefined;
    if (found !== undefined) return { database: found };
    const aside = existsSync(file) ? { movedAside: moveAside(file) } : {};
    const database = openDatabase(file);
    const look = { needsCheck: false, mayBeBlank: true };
    const isNew = closedUnless(database, () => isSound(database, look) && migrate(database));
    assert(isNew, 'a new database is sound');
    return { database, ...aside };
  } catch (error) {
    throw worldError(error, file);
  } finally {
    gate.close();
  }
}

/** One that somebody may go on with; a blank one too, unless a board was in it. */
function soundDatabase(file: string): Database | undefined {
  const database = openDatabase(file);
  // Terms were given out in it, and no file is blank after that.
  const look = { needsCheck: true, mayBeBlank: !existsSync(termsFileOf(file)) };
  const isUsable = closedUnless(database, () => isSound(database, look) && migrate(database));
  return isUsable ? database : undefined;
}

/** Whoever does not get it does not have to close it. */
function closedUnless(database: Database, check: () => boolean): boolean {
  let isUsable = false;
  try {
    isUsable = check();
  } catch (error) {
    throw worldError(error, database.name);
  } finally {
    if (!isUsable) database.close();
  }
  return isUsable;
}

function moveAside(file: string): string {
  const name = unusedName(`${file}.damaged`);
  try {
    for (const suffix of ['', '-wal', '-shm'])
      if (existsSync(file + suffix)) renameSync(file + suffix, name + suffix);
    rmSync(suspectFile(file), { force: true });
  } catch (cause) {
    const message = `Interlock found ${file} damaged, and could not move it aside. Close the programs that use it, and make its folder writable.`;
    throw new StoreError('world', message, { cause });
  }
  return name;
}

interface Look {
  /** All of it is looked through. */
  readonly needsCheck: boolean;
  readonly mayBeBlank: boolean;
}

/** Then it is ready to be used; otherwise nothing about it was changed. */
function isSound(database: Database, { needsCheck, mayBeBlank }: Look): boolean {
  try {
    refuseOld(database);
    refuseNewer(database);
    if (!hasItsSchema(database) || (isBlank(database) && !mayBeBlank)) return false;
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    if (!needsCheck) return true;
    if (!isWhole(database)) return false;
    rmSync(suspectFile(database.name), { force: true });
    return true;
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}

/**
 * Whoever closes it last leaves no log behind: where there is one, somebody has died at it, or is at
 * work on it and others want to look on quickly. In a large file damage is found where it is read.
 */
function isSuspect(file: string): boolean {
  const [bytes, log] = [sizeOf(file), sizeOf(`${file}-wal`)];
  if (bytes + log <= (log === 0 ? SMALL_BYTES : MEDIUM_BYTES)) return true;
  return existsSync(suspectFile(file));
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    // Whether it may be used at all is said when it is opened.
    return 0;
  }
}

function suspectFile(file: string): string {
  return `${file}-suspect`;
}

function refuseOld(database: Database): void {
  const version = String(database.prepare('select sqlite_version()').pluck().get());
  if (isSafeVersion(version)) return;
  throw new StoreError(
    'native',
    `Interlock cannot keep its state with SQLite ${version}, which can damage a file. It needs ` +
      `${FIRST_SAFE_VERSION.join('.')} or newer: install Interlock again, with all that belongs to it.`,
  );
}

export function isSafeVersion(version: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, least] of FIRST_SAFE_VERSION.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
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

export function isDamage(error: unknown): boolean {
  const code = codeOf(error);
  return (
    error instanceof DamagedRow || code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB'
  );
}

/** Also for errors of later statements: what SQLite says, on which file, and what to do. */
export function worldError(error: unknown, file: string): unknown {
  const code = codeOf(error);
  if (isDamage(error))
    return new StoreError(
      'world',
      `Interlock found ${file} damaged (${messageOf(error)}). Start Interlock again: it moves the file aside and begins a new one.`,
      { cause: error },
    );
  if (!code.startsWith('SQLITE_')) return error;
  if (code.startsWith('SQLITE_BUSY') || code === 'SQLITE_PROTOCOL') return busyError(error, file);
  const advice: Readonly<Record<string, string>> = {
    SQLITE_FULL: 'Free some disk space.',
    SQLITE_READONLY: 'Make the file and its folder writable.',
    SQLITE_CANTOPEN: 'Make its folder writable.',
  };
  const family = code.split('_', 2).join('_');
  return new StoreError(
    family === 'SQLITE_IOERR' ? 'disk' : 'world',
    `Interlock could not use ${file} (${messageOf(error)}). ${advice[family] ?? 'Check the disk.'}`,
    { cause: error },
  );
}

/** The name of the process is what a user needs: they can continue it, or end it. */
function busyError(cause: unknown, file: string): StoreError {
  const writer = writerOf(file);
  if (writer === undefined) return blockedError(cause, file);
  const { pid, isStopped } = writer;
  return new WriterBusy(
    isStopped
      ? `Interlock could not write to ${file}: ${nameOf(writer)} was suspended while it was writing, so no other process can. ${continueIt(writer)}`
      : `Interlock could not write to ${file}: ${nameOf(writer)} has been writing to it for too long. ` +
          `Try again; if that does not help, end it ("kill ${pid}").`,
    { cause, isSuspended: isStopped },
  );
}

function blockedError(cause: unknown, file: string): StoreError {
  const user = suspendedUserOf(file);
  const message =
    user === undefined
      ? `Interlock could not use ${file} (${messageOf(cause)}). Close the program that holds the file open.`
      : `Interlock could not use ${file}: ${nameOf(user)} was suspended while it opened or closed it, so no other process can. ${continueIt(user)}`;
  return new StoreError('world', message, { cause });
}

function nameOf({ pid, program }: Writer): string {
  return `process ${pid} (${displayText(program)})`;
}

function continueIt({ pid }: Writer): string {
  return `Continue it ("kill -CONT ${pid}", or "fg" in its terminal), or end it ("kill -KILL ${pid}").`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
