import { type Instant, instant } from '../domain/time.ts';
import type { Clock } from '../engine/ports.ts';

/**
 * The time of day, but for one thing: where the system's clock is set back, it goes on from where it
 * was. Leases and limits are lengths of time, and must not become longer.
 */
export class SystemClock implements Clock {
  readonly #read: () => number;
  #last = 0;
  #aheadMs = 0;

  constructor(read: () => number = Date.now) {
    this.#read = read;
  }

  now(): Instant {
    const read = this.#read();
    this.#aheadMs = Math.max(this.#aheadMs, this.#last - read);
    this.#last = read + this.#aheadMs;
    return instant(this.#last);
  }
}

export function every(intervalMs: number, callback: () => void): Disposable {
  const timer = setInterval(callback, intervalMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
