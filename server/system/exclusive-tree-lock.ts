import type { BoardLock, LockResult, LockSight } from '../engine/ports.ts';
import { StoreError } from '../engine/store-error.ts';

/**
 * The lock of a board, given only if no other board that has the same files is in use.
 *
 * Invariant: the own lock is taken before looking at those of others. So of two boards over the same files
 * that are opened at the same moment, at least one finds the lock of the other one taken. Both may; then
 * both let go, and whoever tries again first has it.
 */
export class ExclusiveTreeLock implements BoardLock {
  readonly #own: BoardLock;
  readonly #conflict: () => string | undefined;

  /** `conflict` says why the board must not be used now. */
  constructor(own: BoardLock, conflict: () => string | undefined) {
    this.#own = own;
    this.#conflict = conflict;
  }

  acquire(): LockResult {
    return this.#alone(this.#own.acquire());
  }

  look(): LockSight {
    return this.#own.look();
  }

  takeOver(silent: LockSight): LockResult {
    return this.#alone(this.#own.takeOver(silent));
  }

  #alone(result: LockResult): LockResult {
    if (result.kind === 'held') return result;
    const refusal = this.#conflict();
    if (refusal === undefined) return result;
    result.lock[Symbol.dispose]();
    throw new StoreError('world', refusal);
  }
}
