import type { Alarm } from '../engine/ports.ts';

/** A coordinator that refuses us may be about to go, and the next one is here within a second. */
const GRACE_MS = 2000;
/** A coordinator that does not answer is taken over after 5 s; a busy machine may take longer. */
const SILENCE_MS = 30_000;

/**
 * Waits for the coordinator of a board, but not for ever: a short time for one that refuses us, and a long
 * one for one that does not answer.
 */
export class Patience implements Disposable {
  readonly #end = Promise.withResolvers<never>();
  #alarm: Alarm | undefined;
  #due: Disposable | undefined;
  readonly #silenceMs: number;

  /** From the option --connect-timeout; absent: 30 seconds. */
  constructor(silenceMs = SILENCE_MS) {
    this.#silenceMs = silenceMs;
    // Mostly nobody waits when it comes to its end.
    this.#end.promise.catch(() => {});
  }

  /** Something is in the way. */
  tax(message: string): void {
    this.#endIn(GRACE_MS, message);
  }

  /** The coordinator does not answer. */
  wait(message: string): void {
    this.#endIn(this.#silenceMs, message);
  }

  #endIn(delayMs: number, message: string): void {
    this.#due ??= this.#alarm?.after(delayMs, () => this.#end.reject(new NobodyAnswers(message)));
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
