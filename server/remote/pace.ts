const LEAST_BYTES = 64 * 1024;
const MOST_BYTES = 2 * 1024 * 1024;
/** A way is asked how it is doing meanwhile, and has to answer in time. */
const LONG_MS = 2000;
const SHORT_MS = 250;

/**
 * How much goes over a way at once. Whatever else is said waits until it is through, so a slow way is
 * given little, and a fast one much.
 */
export class Pace {
  #bytes = LEAST_BYTES;

  get bytes(): number {
    return this.#bytes;
  }

  /** Lets so many bytes go over it, and learns from that. */
  async time<T>(bytes: number, act: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    let tookMs = LONG_MS;
    try {
      const done = await act();
      tookMs = performance.now() - startedAt;
      return done;
    } finally {
      // Where it was lost it may have been too much.
      if (tookMs >= LONG_MS) this.#bytes = Math.max(LEAST_BYTES, this.#bytes / 2);
      else if (tookMs < SHORT_MS && bytes > this.#bytes / 2)
        this.#bytes = Math.min(MOST_BYTES, this.#bytes * 2);
    }
  }
}
