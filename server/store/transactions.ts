import type { Database, Statement } from 'better-sqlite3';

/** What happens around each transaction. Whatever throws, nothing of the transaction is kept. */
export interface Around {
  /** Outside of it: whether anything may be written at all. */
  readonly before: () => void;
  readonly begun: () => void;
  readonly ending: () => void;
  readonly rolledBack: () => void;
  /** A part of it was taken back, and the rest goes on. */
  readonly undone: () => void;
}

/** Whoever writes inside of a write joins it: together they are one transaction. */
export class Transactions {
  readonly #database: Database;
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #rollback: Statement;
  readonly #mark: Statement;
  readonly #keep: Statement;
  readonly #undo: Statement;
  readonly #around: Around;
  #isOpen = false;
  /** Somebody may have caught it, and goes on with what was written in halves. */
  #failure: { readonly error: unknown } | undefined;

  constructor(database: Database, around: Around) {
    this.#database = database;
    // Whoever reads first and writes later would be refused when somebody else writes in between.
    this.#begin = database.prepare('begin immediate');
    this.#commit = database.prepare('commit');
    this.#rollback = database.prepare('rollback');
    this.#mark = database.prepare('savepoint part');
    this.#keep = database.prepare('release part');
    this.#undo = database.prepare('rollback to part');
    this.#around = around;
  }

  run<T>(write: () => T): T {
    if (this.#isOpen) return this.#join(write);
    this.#around.before();
    this.#begin.run();
    this.#isOpen = true;
    try {
      this.#around.begun();
      const result = this.#join(write);
      if (this.#failure !== undefined) throw this.#failure.error;
      this.#around.ending();
      this.#commit.run();
      return result;
    } catch (error) {
      // When the disk is full SQLite has done so by itself.
      if (this.#database.inTransaction) this.#rollback.run();
      this.#around.rolledBack();
      throw error;
    } finally {
      this.#isOpen = false;
      this.#failure = undefined;
    }
  }

  /** Inside of a write: what answers with nothing has written nothing, and the rest goes on. */
  attempt<T>(write: () => T | undefined): T | undefined {
    this.#mark.run();
    const result = write();
    if (result === undefined) {
      this.#undo.run();
      this.#around.undone();
    }
    this.#keep.run();
    return result;
  }

  #join<T>(write: () => T): T {
    try {
      return write();
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    }
  }
}
