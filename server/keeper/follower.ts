import type { PathRules } from '../domain/paths/overlap.ts';
import { LiveBoard } from '../engine/live-board.ts';
import type { LedgerEntry, Store } from '../engine/store-port.ts';
import type { BoardModel } from '../scheduler/model/board-model.ts';

const PAGE = 1000;

/** The board as somebody who does not decide sees it: it reads the ledger, from where it was. */
export class Follower {
  readonly #store: Store;
  readonly #rules: PathRules;
  #live: LiveBoard;

  constructor(store: Store, rules: PathRules) {
    this.#store = store;
    this.#rules = rules;
    this.#live = new LiveBoard(store.snapshot(), rules);
  }

  get board(): BoardModel {
    return this.#live.model;
  }

  get revision(): number {
    return this.#live.revision;
  }

  /**
   * Takes in what is new, from the store where what was told does not go on from here. Answers with
   * the entries that were new; whatever comes twice is taken once.
   */
  catchUp(told: readonly LedgerEntry[] = []): readonly LedgerEntry[] {
    const next = told.filter(({ sequence }) => sequence > this.revision);
    if (told.length > 0 && (next[0]?.sequence ?? this.revision + 1) === this.revision + 1)
      return this.#apply(next);
    const all: LedgerEntry[] = [];
    for (;;) {
      const entries = this.#store.events(this.revision, PAGE);
      if (entries.length === 0) return all;
      if (entries[0]?.sequence !== this.revision + 1) return this.#readAgain(all);
      all.push(...this.#apply(entries));
    }
  }

  /** What came in between is not in the ledger any more, and all of it is in the base. */
  #readAgain(known: readonly LedgerEntry[]): readonly LedgerEntry[] {
    const before = this.revision;
    this.#live = new LiveBoard(this.#store.snapshot(), this.#rules);
    return [...known, ...this.#store.events(before, Number.MAX_SAFE_INTEGER)];
  }

  #apply(entries: readonly LedgerEntry[]): readonly LedgerEntry[] {
    for (const entry of entries) this.#live.apply(entry);
    return entries;
  }
}
