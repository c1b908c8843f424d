/** The only file of the client that reads a clock or sets one; others are given times and timers. */
export function now(): number {
  return Date.now();
}

/** A timer of whoever runs it: the real one, or one that a test turns. */
export interface Timers {
  /** Once, after so many milliseconds. */
  after(ms: number, act: () => void): Disposable;
}

export const TIMERS: Timers = {
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};

/** Again and again, until it is let go of. */
export function every(ms: number, act: () => void): Disposable {
  const timer = setInterval(act, ms);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** `14:05`; with the day where that is not today. */
export function clockText(at: number, today = now()): string {
  const isToday = new Date(at).toDateString() === new Date(today).toDateString();
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const day = { day: 'numeric', month: 'short' } as const;
  return new Intl.DateTimeFormat('en-GB', isToday ? time : { ...day, ...time }).format(at);
}
