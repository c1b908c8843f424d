import type { LedgerEntry, Store } from '../engine/store-port.ts';

/** Each entry of the ledger is told once and in order, whoever decides meanwhile. */
export class News {
  readonly #store: Store;
  readonly #changed: (entries: readonly LedgerEntry[]) => void;
  #toldUpTo: number;

  /** What the ledger has by now is none. */
  constructor(store: Store, changed: (entries: readonly LedgerEntry[]) => void) {
    this.#store = store;
    this.#changed = changed;
    this.#toldUpTo = store.lastSequence();
  }

  tell(entries: readonly LedgerEntry[]): void {
    const upTo = this.#toldUpTo;
    const next = entries.filter(({ sequence }) => sequence > upTo);
    const [first, last] = [next[0], next.at(-1)];
    if (first === undefined || last === undefined) return;
    const missed = first.sequence - upTo - 1;
    this.#toldUpTo = last.sequence;
    const before = missed > 0 ? this.#store.events(upTo, missed) : [];
    this.#changed(before.length > 0 ? [...before, ...next] : next);
  }

  /** What was there when the board was first looked at is news too. */
  tellUpTo(sequence: number): void {
    const upTo = this.#toldUpTo;
    if (sequence > upTo) this.tell(this.#store.events(upTo, Number.MAX_SAFE_INTEGER));
  }
}
