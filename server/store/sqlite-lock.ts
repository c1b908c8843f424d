import {
  closeSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { BoardLock, LockResult } from '../engine/ports.ts';
import { StoreError } from '../engine/store-error.ts';
import { openDatabase, worldError } from './database.ts';
import { isSpecial } from './plain-file.ts';

/** Others may be about to put the same file right. */
const ATTEMPTS = 10;

/**
 * The board's lock: an exclusive lock on a small database of its own. SQLite takes it from the
 * operating system, which frees it when the holder dies, however it dies.
 *
 * Invariant: the file is never deleted or replaced, and nothing is ever written into it: two who
 * hold a lock on a file of this name would otherwise be two who hold it on different files.
 */
export class SqliteLock implements BoardLock {
  readonly #lockFile: string;
  readonly #holderFile: string;
  readonly #name: string;

  /** `name` is what others read while this process holds the lock. */
  constructor(directory: string, name: string) {
    this.#lockFile = path.join(directory, 'lock.db');
    this.#holderFile = path.join(directory, 'holder');
    this.#name = name;
  }

  acquire(): LockResult {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const result = this.#tryAcquire();
      if (result !== 'again') return result;
    }
    throw new StoreError(
      'world',
      `Interlock could not use ${this.#lockFile}, because something changes it all the time. Find out what, and start Interlock again.`,
    );
  }

  #tryAcquire(): LockResult | 'again' {
    const before = this.#identity();
    const database = openDatabase(this.#lockFile, 0);
    try {
      database.exec('begin exclusive');
    } catch (error) {
      database.close();
      return this.#refused(error);
    }
    if (this.#identity() !== before) {
      database.close();
      return 'again';
    }
    this.#writeHolder();
    return { kind: 'acquired', lock: { [Symbol.dispose]: () => database.close() } };
  }

  #refused(error: unknown): LockResult | 'again' {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code.startsWith('SQLITE_BUSY')) return { kind: 'held', holder: this.#readHolder() };
    if (code !== 'SQLITE_NOTADB' && !code.startsWith('SQLITE_CORRUPT'))
      throw worldError(error, this.#lockFile);
    // It was looked into, so nobody held it then; and whoever does by now needs nothing that is in it.
    truncateSync(this.#lockFile);
    return 'again';
  }

  /** Which file has the name; makes one where there is none. */
  #identity(): string {
    const found = statSync(this.#lockFile, { throwIfNoEntry: false });
    if (found !== undefined) return `${found.dev}:${found.ino}`;
    try {
      // Never opened but to make it: to close a file is to lose every lock on it that one has.
      closeSync(openSync(this.#lockFile, 'wx', 0o600));
    } catch (cause) {
      const isThere = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
      const message = `Interlock could not write ${this.#lockFile}. Make its folder writable.`;
      if (!isThere) throw new StoreError('world', message, { cause });
    }
    return this.#identity();
  }

  #writeHolder(): void {
    try {
      if (isSpecial(this.#holderFile)) rmSync(this.#holderFile);
      writeFileSync(this.#holderFile, this.#name);
    } catch {
      // The lock is ours all the same; others will not learn whose it is.
    }
  }

  /** A note for people; only the lock itself decides. */
  #readHolder(): string {
    try {
      if (!isSpecial(this.#holderFile)) return readFileSync(this.#holderFile, 'utf8').slice(0, 200);
    } catch {
      // Who it is, is not that important.
    }
    return 'another Interlock process';
  }
}
