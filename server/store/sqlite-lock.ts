import type { Database } from 'better-sqlite3';
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { BoardLock, HeldLock, LockResult, LockSight } from '../engine/ports.ts';
import { StoreError } from '../engine/store-error.ts';
import { openDatabase, worldError } from './database.ts';
import { isSpecial } from './plain-file.ts';

/** Others may be about to put the same file right. */
const ATTEMPTS = 10;
/** No process is taken over ten thousand million times. */
const LATER = /^lock-([1-9]\d{0,9})\.db$/;
const SECOND_MS = 1000;

/**
 * The board's lock: an exclusive lock on a small database of its own. SQLite takes it from the
 * operating system, which frees it when the holder dies, however it dies.
 *
 * A holder that is stopped and not dead (Ctrl-Z, a debugger) keeps its lock, and nobody can take it away.
 * So a holder shows that it is alive: once a second it moves the modification time of the lock's file on.
 * If that stands still, another process takes the lock of the next generation: `lock.db`, `lock-2.db`,
 * `lock-3.db` and so on. Only the newest counts. The stopped process finds a newer one when it wakes up,
 * and whatever it wants to write before that is refused, because a later tenure has begun.
 *
 * Invariant: the file is never deleted or replaced, and nothing is ever written into it: two who
 * hold a lock on a file of this name would otherwise be two who hold it on different files.
 */
export class SqliteLock implements BoardLock {
  readonly #directory: string;
  readonly #holderFile: string;
  readonly #name: string;
  /** Which generation of the lock this process holds. */
  #heldGeneration: number | undefined;

  /** `name` is what others read while this process holds the lock. */
  constructor(directory: string, name: string) {
    this.#directory = directory;
    this.#holderFile = path.join(directory, 'holder');
    this.#name = name;
  }

  /** Whether this process holds the lock, and the one that counts. */
  get isHeld(): boolean {
    return this.#heldGeneration !== undefined && !this.#isReplaced(this.#heldGeneration);
  }

  acquire(): LockResult {
    return this.#acquire(() => this.#newest());
  }

  look(): LockSight {
    const generation = this.#newest();
    return { generation, beats: beatsOf(this.#fileOf(generation)) };
  }

  takeOver(silent: LockSight): LockResult {
    const now = this.look();
    const isSilent = now.generation === silent.generation && now.beats === silent.beats;
    if (!isSilent) return { kind: 'held', holder: this.#readHolder() };
    // It may have died meanwhile.
    const freed = this.acquire();
    if (freed.kind === 'acquired') return freed;
    const result = this.#acquire(() => silent.generation + 1);
    if (result.kind === 'acquired') this.#removeBefore(silent.generation);
    return result;
  }

  #acquire(generationNow: () => number): LockResult {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const result = this.#tryAcquire(generationNow());
      if (result !== 'again') return result;
    }
    throw new StoreError(
      'world',
      `Interlock could not use ${this.#fileOf(generationNow())}, because something changes it all the time. Find out what, and start Interlock again.`,
    );
  }

  #tryAcquire(generation: number): LockResult | 'again' {
    const file = this.#fileOf(generation);
    const before = identityOf(file);
    const database = openDatabase(file, 0);
    try {
      database.exec('begin exclusive');
    } catch (error) {
      database.close();
      return this.#refused(error, file);
    }
    if (identityOf(file) !== before || this.#newest() !== generation) {
      database.close();
      return 'again';
    }
    this.#writeHolder();
    return { kind: 'acquired', lock: this.#held(generation, database) };
  }

  #held(generation: number, database: Database): HeldLock {
    const file = this.#fileOf(generation);
    this.#heldGeneration = generation;
    return {
      beat: () => {
        if (this.#isReplaced(generation)) return false;
        beat(file);
        return true;
      },
      [Symbol.dispose]: () => {
        if (this.#heldGeneration === generation) this.#heldGeneration = undefined;
        database.close();
      },
    };
  }

  #refused(error: unknown, file: string): LockResult | 'again' {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code.startsWith('SQLITE_BUSY')) return { kind: 'held', holder: this.#readHolder() };
    if (code !== 'SQLITE_NOTADB' && !code.startsWith('SQLITE_CORRUPT'))
      throw worldError(error, file);
    // It was looked into, so nobody held it then; and whoever does by now needs nothing that is in it.
    truncateSync(file);
    return 'again';
  }

  #fileOf(generation: number): string {
    return path.join(this.#directory, generation === 1 ? 'lock.db' : `lock-${generation}.db`);
  }

  /** The generation that counts. */
  #newest(): number {
    let newest = 1;
    for (const name of readdirSync(this.#directory)) {
      const [, digits] = LATER.exec(name) ?? [];
      newest = Math.max(newest, Number(digits ?? 1));
    }
    return newest;
  }

  #isReplaced(generation: number): boolean {
    try {
      return this.#newest() !== generation;
    } catch {
      // A folder that cannot be read now says nothing; the next transaction says it.
      return false;
    }
  }

  /** Locks that no process looks at any more. That of the silent holder stays, and so does the first. */
  #removeBefore(generation: number): void {
    for (let old = 2; old < generation; old += 1) rmSync(this.#fileOf(old), { force: true });
  }

  #writeHolder(): void {
    try {
      if (isSpecial(this.#holderFile)) rmSync(this.#holderFile);
      writeFileSync(this.#holderFile, this.#name, { mode: 0o600 });
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

/** Which file has the name; makes one where there is none. */
function identityOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined) return `${found.dev}:${found.ino}`;
  try {
    // Never opened but to make it: to close a file is to lose every lock on it that one has.
    closeSync(openSync(file, 'wx', 0o600));
  } catch (cause) {
    const isThere = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    const message = `Interlock could not write ${file}. Make its folder writable.`;
    if (!isThere) throw new StoreError('world', message, { cause });
  }
  return identityOf(file);
}

/** The file is not opened for that: to close it would be to lose the lock. */
function beat(file: string): void {
  try {
    const next = Math.floor(beatsOf(file) / SECOND_MS) + 1;
    utimesSync(file, next, next);
  } catch {
    // Somebody has deleted it: whoever comes next makes another one, and begins a later tenure.
  }
}

function beatsOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
