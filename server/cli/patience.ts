import type { Alarm } from '../engine/ports.ts';

/** Whoever decides may be about to go, and the one who comes next is here within a second. */
const GRACE_MS = 2000;

/**
 * Waits for whoever decides for a board, but not for ever: when somebody is there who does not let us
 * in, nobody knows when that changes.
 */
export class Patience implements Disposable {
  readonly #end = Promise.withResolvers<never>();
  #alarm: Alarm | undefined;
  #due: Disposable | undefined;

  constructor() {
    // Mostly nobody waits when it comes to its end.
    this.#end.promise.catch(() => {});
  }

  /** Something is in the way. */
  tax(message: string): void {
    this.#due ??= this.#alarm?.after(GRACE_MS, () => this.#end.reject(new NobodyAnswers(message)));
  }

  async for<T>(work: Promise<T>, alarm: Alarm): Promise<T> {
    this.#alarm = alarm;
    try {
      return await Promise.race([work, this.#end.promise]);
    } finally {
      this[Symbol.dispose]();
    }
  }

  [Symbol.dispose](): void {
    this.#due?.[Symbol.dispose]();
    this.#due = undefined;
    this.#alarm = undefined;
  }
}

/** The message is what was in the way. */
export class NobodyAnswers extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NobodyAnswers';
  }
}
