/** Waits for whatever comes next; what came while nobody waited is not lost. */
export class Poke {
  #isDue = false;
  #wake: (() => void) | undefined;

  now(): void {
    this.#isDue = true;
    this.#wake?.();
  }

  async next(): Promise<void> {
    if (!this.#isDue)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    this.#wake = undefined;
    this.#isDue = false;
  }
}
