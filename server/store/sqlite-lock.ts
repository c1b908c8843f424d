import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BoardLock, LockResult } from '../engine/ports.ts';
import { openDatabase } from './database.ts';

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
    const database = openDatabase(this.#lockFile, 0);
    try {
      database.exec('begin exclusive');
    } catch (error) {
      database.close();
      if (isBusy(error)) return { kind: 'held', holder: this.#readHolder() };
      throw error;
    }
    writeFileSync(this.#holderFile, this.#name);
    return { kind: 'acquired', lock: { [Symbol.dispose]: () => database.close() } };
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

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}
