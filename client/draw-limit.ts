import { TIMERS, type Timers } from './time.ts';

/**
 * Draws when asked, after everything that the same message changes was changed, and then not again for a
 * moment: whatever comes in the meantime is drawn together. After the last time that it is asked it draws
 * once more, always.
 */
export class DrawLimit implements Disposable {
  readonly #draw: () => void;
  readonly #pauseMs: () => number;
  readonly #timers: Timers;
  #pause: Disposable | undefined;
  #isDue = false;

  constructor(draw: () => void, pauseMs: () => number, timers: Timers = TIMERS) {
    this.#draw = draw;
    this.#pauseMs = pauseMs;
    this.#timers = timers;
  }

  ask(): void {
    this.#isDue = true;
    this.#pause ??= this.#timers.after(0, () => this.#drawNow());
  }

  [Symbol.dispose](): void {
    this.#pause?.[Symbol.dispose]();
    this.#isDue = false;
  }

  #drawNow(): void {
    this.#pause = undefined;
    if (!this.#isDue) return;
    this.#isDue = false;
    this.#pause = this.#timers.after(this.#pauseMs(), () => this.#drawNow());
    this.#draw();
  }
}
