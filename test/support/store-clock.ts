import { type Instant, instant } from '../../server/domain/time.ts';
import type { BoardClock, SavedTime } from '../../server/store/board-row.ts';

/** Stands still unless the test moves it. */
export class StoreClock implements BoardClock {
  #at: Instant;

  constructor(at = 100) {
    this.#at = instant(at);
  }

  now(): Instant {
    return this.#at;
  }

  /** It stands still by itself. */
  hold(): Disposable {
    return { [Symbol.dispose]: () => {} };
  }

  set(at: number): void {
    this.#at = instant(at);
  }

  resume({ at }: SavedTime): void {
    if (at > this.#at) this.#at = at;
  }

  save(): SavedTime {
    return { at: this.#at, bootId: 'boot', uptimeMs: this.#at };
  }
}
