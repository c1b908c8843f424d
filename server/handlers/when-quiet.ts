import type { BoardWorld } from '../board/ports.ts';

type Alarm = Pick<BoardWorld['alarm'], 'after'>;

const QUIET_MS = 100;
/** Whoever types on and on is not waited for longer than this many times. */
const WAITS = 10;

/**
 * Does something when nothing has been asked for a moment: what has to follow a key, and would hold up
 * the next one. After the last time that it is asked it is done once more, always.
 */
export class WhenQuiet implements Disposable {
  readonly #alarm: Alarm;
  readonly #act: () => void;
  #due: Disposable | undefined;
  #isAskedAgain = false;

  constructor(alarm: Alarm, act: () => void) {
    this.#alarm = alarm;
    this.#act = act;
  }

  ask(): void {
    if (this.#due === undefined) this.#wait(WAITS);
    else this.#isAskedAgain = true;
  }

  /** It has been done otherwise, and need not be done for what was asked until now. */
  [Symbol.dispose](): void {
    this.#due?.[Symbol.dispose]();
    this.#due = undefined;
    this.#isAskedAgain = false;
  }

  #wait(left: number): void {
    this.#due = this.#alarm.after(QUIET_MS, () => {
      if (this.#isAskedAgain && left > 1) {
        this.#isAskedAgain = false;
        this.#wait(left - 1);
        return;
      }
      this[Symbol.dispose]();
      this.#act();
    });
  }
}
