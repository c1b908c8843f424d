import type { BoardWorld } from '../board/ports.ts';

type Alarm = Pick<BoardWorld['alarm'], 'after'>;

const AT_ONCE = 500;
const REST_MS = 100;

/**
 * How many of the tasks that only wait for their turn are looked at again: some of them, and then none
 * for a moment. There may be as many as there are tasks, and each news stirs them all.
 */
export class LookPace implements Disposable {
  readonly #alarm: Alarm;
  readonly #goOn: () => void;
  #rest: Disposable | undefined;
  #isMore = false;

  constructor(alarm: Alarm, goOn: () => void) {
    this.#alarm = alarm;
    this.#goOn = goOn;
  }

  get most(): number {
    return this.#rest === undefined ? AT_ONCE : 0;
  }

  /** No more than `most` of them were. */
  looked({ isMore }: { readonly isMore: boolean }): void {
    this.#isMore = isMore;
    this.#rest ??= this.#alarm.after(REST_MS, () => {
      this.#rest = undefined;
      if (this.#isMore) this.#goOn();
    });
  }

  [Symbol.dispose](): void {
    this.#rest?.[Symbol.dispose]();
  }
}
