import { setTimeout as delay } from 'node:timers/promises';

/** How often all of them are looked at, whatever was told. */
const ROUND_MS = 5000;
const STIR_MS = 100;

interface Looking {
  /** How they stand now; does nothing where that cannot be seen. */
  readonly lookAt: (terms: readonly number[]) => Promise<void>;
  readonly all: () => Iterable<number>;
}

/** Says when to look at which commands: one look at a time, at all that are due by then. */
export class LookQueue {
  readonly #looking: Looking;
  readonly #due = new Set<number>();
  readonly #closing = new AbortController();
  #isLooking = false;
  #isStirred = false;

  constructor(looking: Looking) {
    this.#looking = looking;
    void this.#rounds();
  }

  look(term: number): void {
    this.#due.add(term);
    if (!this.#isLooking) void this.#lookAround();
  }

  lookAtAll(): void {
    for (const term of this.#looking.all()) this.look(term);
  }

  /** Some may have ended without a word; most that have has told so a moment later. */
  stir(): void {
    if (!this.#isStirred) void this.#stirred();
  }

  close(): void {
    this.#closing.abort();
    this.#due.clear();
  }

  async #lookAround(): Promise<void> {
    this.#isLooking = true;
    while (this.#due.size > 0) {
      const terms = [...this.#due];
      this.#due.clear();
      await this.#looking.lookAt(terms);
    }
    this.#isLooking = false;
  }

  async #stirred(): Promise<void> {
    this.#isStirred = true;
    await this.#pause(STIR_MS);
    this.#isStirred = false;
    this.lookAtAll();
  }

  async #rounds(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      await this.#pause(ROUND_MS);
      this.lookAtAll();
    }
  }

  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#closing.signal, ref: false }).catch(() => {});
  }
}
