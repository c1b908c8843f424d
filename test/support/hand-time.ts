import { type Instant, instant } from '../../server/domain/time.ts';
import type { Alarm, Clock } from '../../server/engine/ports.ts';

const START_AT = 1_000_000;

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** Time that passes when the test says so. */
export class HandTime implements Clock, Alarm {
  readonly #timers = new Set<Timer>();
  #now = START_AT;

  now(): Instant {
    return instant(this.#now);
  }

  /** It stands still by itself. */
  hold(): Disposable {
    return { [Symbol.dispose]: () => {} };
  }

  after(delayMs: number, callback: () => void): Disposable {
    const timer = { at: this.#now + delayMs, callback };
    this.#timers.add(timer);
    return { [Symbol.dispose]: () => void this.#timers.delete(timer) };
  }

  soon(callback: () => void): void {
    setImmediate(callback);
  }

  /** Each timer on the way fires at its time, and whatever it leads to happens before the next. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    for (;;) {
      const next = [...this.#timers].toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined || next.at > end) break;
      this.#now = Math.max(this.#now, next.at);
      this.#timers.delete(next);
      next.callback();
      await settled();
    }
    this.#now = end;
    await settled();
  }

  /** The machine slept: time has passed, and no timer knows of it. */
  sleep(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

/** Whatever was to happen soon has happened, and what followed from it. */
export async function settled(): Promise<void> {
  for (let round = 0; round < 4; round += 1)
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
}
