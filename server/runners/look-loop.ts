import { setTimeout as delay } from 'node:timers/promises';

/**
 * Looks again and again as long as there is something to look for, with the pause that each look asks
 * for. While it goes on, this process does not end by itself.
 */
export class LookLoop {
  readonly #look: () => Promise<number | undefined>;
  #interruption = new AbortController();
  #isGoing = false;
  #isClosed = false;

  /** The callback answers with the pause before the next look; nothing: there is no reason for one. */
  constructor(look: () => Promise<number | undefined>) {
    this.#look = look;
  }

  begin(pauseMs: number): void {
    if (this.#isGoing || this.#isClosed) return;
    this.#isGoing = true;
    void this.#go(pauseMs);
  }

  /** Looks again as soon as it can. */
  hurry(): void {
    this.#interruption.abort();
  }

  close(): void {
    this.#isClosed = true;
    this.hurry();
  }

  async #go(firstPauseMs: number): Promise<void> {
    let pauseMs: number | undefined = firstPauseMs;
    while (pauseMs !== undefined && !this.#isClosed) {
      // Being told to hurry is no failure, neither in the pause nor during the look before it.
      await delay(pauseMs, undefined, { signal: this.#interruption.signal }).catch(() => {});
      this.#interruption = new AbortController();
      pauseMs = this.#isClosed ? undefined : await this.#look();
    }
    this.#isGoing = false;
  }
}
