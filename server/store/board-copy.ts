import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Database } from 'better-sqlite3';
import { boardFileAfter, boardFileBefore } from '../domain/board-file-name.ts';
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

  /** `mayPublish` is asked last: a process may be suspended, and lose the board's lock, while it copies. */
  make(database: Database, mayPublish: () => boolean): void {
    const copy = `${this.#next}-${process.pid}`;
    try {
      writeFileSync(this.#plan, '', { mode: 0o600 });
      rmSync(copy, { force: true });
      closeSync(openSync(copy, 'wx', 0o600));
      database.prepare('vacuum into ?').run(copy);
      sync(copy);
      if (mayPublish() && !this.isThere) linkSync(copy, this.#next);
      syncFolder(path.dirname(copy));
    } finally {
      rmSync(copy, { force: true });
      rmSync(this.#plan, { force: true });
    }
    this.#removeFormer();
  }

  /** What a process left behind that ended while it copied. Only with the board's lock. */
  forgetPlan(): void {
    if (!this.isPlanned || this.isThere) return;
    const folder = path.dirname(this.#next);
    const start = `${path.basename(this.#next)}-`;
    for (const name of readdirSync(folder))
      if (name.startsWith(start)) rmSync(path.join(folder, name), { force: true });
  }

  /** The suspended process may still need the file before the copy, and none the one before that. */
  #removeFormer(): void {
    const former = boardFileBefore(path.basename(this.#file));
    if (former === undefined) return;
    for (const suffix of ['-wal', '-shm', ''])
      rmSync(path.join(path.dirname(this.#file), former + suffix), { force: true });
  }

  get #next(): string {
    return path.join(path.dirname(this.#file), boardFileAfter(path.basename(this.#file)));
  }

  get #plan(): string {
    return `${this.#next}-planned`;
  }
}

function sync(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
