import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { boardFileAfter, boardFileBefore } from '../domain/board-file-name.ts';
import { StoreError } from '../engine/store-error.ts';
import { syncFolder } from './term-reserve.ts';

/**
 * A board can leave its database behind. A process that is suspended in the middle of a transaction keeps
 * SQLite's write lock until it continues or ends, but it does not keep others from reading. So the process
 * that holds the board's lock copies what is committed, and the board goes on in the copy:
 *
 *     board.db  ──"board-2.db-planned" appears──▶ copy ──link──▶ board-2.db
 *
 * From the first step on, no process writes to the old file or acts on what it wrote there: whatever the
 * suspended process commits when it continues is lost, and it learns that before it answers anything.
 */
export class BoardCopy {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** The board has gone on in the copy. */
  get isThere(): boolean {
    return existsSync(this.#next);
  }

  /** A process copies the database now: no other may write to it. */
  get isPlanned(): boolean {
    return existsSync(this.#plan);
  }

  /**
   * `holdsLock` says whether this process still has the board's lock. It may be suspended itself while it
   * copies, and another process may then have copied the database in its place.
   */
  make(database: Database, holdsLock: () => boolean): void {
    const copy = `${this.#next}-${process.pid}`;
    if (!holdsLock()) throw lostLock();
    try {
      writeFileSync(this.#plan, '', { mode: 0o600 });
      rmSync(copy, { force: true });
      closeSync(openSync(copy, 'wx', 0o600));
      database.prepare('vacuum into ?').run(copy);
      keepLogBeside(copy);
      sync(copy);
      if (this.isThere || !holdsLock()) throw lostLock();
      linkSync(copy, this.#next);
      syncFolder(path.dirname(copy));
    } catch (cause) {
      if (this.isThere || !holdsLock()) throw lostLock(cause);
      throw isOfSystem(cause) ? copyError(this.#file, cause) : cause;
    } finally {
      rmSync(copy, { force: true });
      // Without the lock the plan is that of another process.
      if (holdsLock()) rmSync(this.#plan, { force: true, recursive: true });
    }
    this.#retireFormer();
  }

  /** Removes what a process left behind that ended while it copied. Only with the board's lock. */
  forgetPlan(): void {
    const folder = path.dirname(this.#file);
    for (const name of readdirSync(folder))
      if (LEFT_BY_COPYING.test(name))
        rmSync(path.join(folder, name), { force: true, recursive: true });
  }

  /**
   * The suspended process may still need the file before the copy, and none needs the one before that. An
   * empty file keeps its name: a process that has it open sees by the name that the board has gone on.
   */
  #retireFormer(): void {
    const name = boardFileBefore(path.basename(this.#file));
    if (name === undefined) return;
    const former = path.join(path.dirname(this.#file), name);
    for (const suffix of ['-wal', '-shm']) rmSync(former + suffix, { force: true });
    const empty = `${former}-${process.pid}`;
    writeFileSync(empty, '', { mode: 0o600 });
    renameSync(empty, former);
  }

  get #next(): string {
    return path.join(path.dirname(this.#file), boardFileAfter(path.basename(this.#file)));
  }

  get #plan(): string {
    return `${this.#next}-planned`;
  }
}

/** What a copy is called until it is published, and the note that a process copies. */
const LEFT_BY_COPYING = /^board(-[1-9]\d{0,9})?\.db-(\d+|planned)$/;

/** As the board's database has it: a process that is suspended while it sets this would lock the copy. */
function keepLogBeside(copy: string): void {
  const database = new SqliteDatabase(copy);
  try {
    database.pragma('journal_mode = WAL');
  } finally {
    database.close();
  }
}

function lostLock(cause?: unknown): StoreError {
  return new StoreError('deposed', 'Another process has copied the board.', { cause });
}

function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

function copyError(file: string, cause: unknown): StoreError {
  const message = `Interlock could not copy ${file}, to which a suspended process keeps others from writing. Make its folder writable, or free some disk space.`;
  return new StoreError('world', message, { cause });
}

function sync(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
