import type { Taking } from '../cli/taking.ts';
import type { Alarm } from '../engine/ports.ts';

/** Most agents give up a minute after they heard the last of a request. */
const STILL_WAITS_MS = 15_000;

/** Ends the wait of a claim in time, and says now and then that it goes on. */
export class Waiting implements Disposable {
  readonly #alarm: Alarm;
  readonly #taking: Taking;
  readonly #stillWaits: (message: string) => void;
  readonly #due: Disposable[] = [];

  constructor(
    alarm: Alarm,
    { taking, stillWaits }: { taking: Taking; stillWaits: (message: string) => void },
  ) {
    this.#alarm = alarm;
    this.#taking = taking;
    this.#stillWaits = stillWaits;
  }

  endIn(delayMs: number): void {
    if (delayMs === 0) return;
    this.#after(delayMs, () => this.#taking.interrupt());
    this.#again();
  }

  [Symbol.dispose](): void {
    for (const due of this.#due.splice(0)) due[Symbol.dispose]();
  }

  #again(): void {
    this.#after(STILL_WAITS_MS, () => {
      this.#stillWaits('There is nothing to take yet.');
      this.#again();
    });
  }

  #after(delayMs: number, callback: () => void): void {
    this.#due.push(this.#alarm.after(delayMs, callback));
  }
}
