import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assert } from '../domain/assert.ts';
import type { BoardLock, LockResult } from '../engine/ports.ts';
import { openDatabase, worldError } from './database.ts';

/**
 * The board's lock: an exclusive lock on a small database of its own. SQLite takes it from the
 * operating system, which frees it when the holder dies, however it dies.
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
    const result = this.#tryAcquire();
    if (result !== 'damaged') return result;
    // The file holds nothing but the lock, and nobody can hold a lock on what is no database.
    rmSync(this.#lockFile, { force: true });
    const again = this.#tryAcquire();
    assert(again !== 'damaged', 'a new lock file is sound');
    return again;
  }

  #tryAcquire(): LockResult | 'damaged' {
    const database = openDatabase(this.#lockFile, 0);
    try {
      database.exec('begin exclusive');
    } catch (error) {
      database.close();
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (code.startsWith('SQLITE_BUSY')) return { kind: 'held', holder: this.#readHolder() };
      if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) return 'damaged';
      throw worldError(error, this.#lockFile);
    }
    this.#writeHolder();
    return { kind: 'acquired', lock: { [Symbol.dispose]: () => database.close() } };
  }

  #writeHolder(): void {
    try {
      writeFileSync(this.#holderFile, this.#name);
    } catch {
      // The lock is ours all the same; others will not learn whose it is.
    }
  }

  /** A note for people; only the lock itself decides. */
  #readHolder(): string {
    try {
      return readFileSync(this.#holderFile, 'utf8').slice(0, 200);
    } catch {
      return 'another Interlock process';
    }
  }
}
