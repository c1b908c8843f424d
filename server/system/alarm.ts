import type { Alarm } from '../engine/ports.ts';

/** Longer than any timer of Node.js can be; whoever wanted to sleep longer looks again then. */
const LONGEST_MS = 2 ** 31 - 1;

export class SystemAlarm implements Alarm {
  after(delayMs: number, callback: () => void): Disposable {
    const timer = setTimeout(callback, Math.min(delayMs, LONGEST_MS));
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  }

  soon(callback: () => void): void {
    setImmediate(callback);
  }
}
