/**
 * Asks the client to look again, once more than it has answered at most: whoever is slow is asked
 * less often.
 */
export class Refresher {
  readonly #ask: () => Promise<void>;
  #isAsking = false;
  #isDue = false;

  constructor(ask: () => Promise<void>) {
    this.#ask = ask;
  }

  refresh(): void {
    this.#isDue = true;
    if (!this.#isAsking) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isAsking = true;
    while (this.#isDue) {
      this.#isDue = false;
      // A client that is going away answers nothing; the next one is asked anew.
      await this.#ask().catch(() => {});
    }
    this.#isAsking = false;
  }
}
