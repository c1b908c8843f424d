import type { BoardWorld } from '../board/ports.ts';

/** A client that has documents open says so right after it was told that it may. */
const GRACE_MS = 20;

/** Lets a client say what it has open before anything else is begun. */
export class FirstDocument {
  readonly #alarm: Pick<BoardWorld['alarm'], 'after'>;
  #isHeard = false;
  #hear: () => void = () => {};

  constructor(alarm: Pick<BoardWorld['alarm'], 'after'>) {
    this.#alarm = alarm;
  }

  heard(): void {
    this.#isHeard = true;
    this.#hear();
  }

  /** Until there is one, or it has become unlikely. */
  async wait(): Promise<void> {
    if (this.#isHeard) return;
    await new Promise<void>((resolve) => {
      const late = this.#alarm.after(GRACE_MS, resolve);
      this.#hear = () => {
        late[Symbol.dispose]();
        resolve();
      };
    });
    this.#isHeard = true;
  }
}
