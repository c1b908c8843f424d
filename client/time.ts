import * as l10n from '@vscode/l10n';

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

/** At each full second of a clock, until it is disposed of: all who do so act together. */
export function eachSecond(clock: () => number, act: () => void, timers = TIMERS): Disposable {
  let timer: Disposable | undefined;
  const wait = (): void => {
    timer = timers.after(SECOND - (Math.floor(clock()) % SECOND), () => {
      wait();
      act();
    });
  };
  wait();
  return { [Symbol.dispose]: () => timer?.[Symbol.dispose]() };
}

const SECOND = 1000;

/**
 * For how long something has been going on. It changes with the full second of the clock only, so that
 * views that were drawn at different moments of a second say the same.
 */
export function runningText(since: number, at: number): string {
  return elapsedText(Math.floor(at / SECOND) * SECOND - since);
}

/** `14:05`; with the day where that is not today. */
export function clockText(at: number, today = now()): string {
  const isToday = new Date(at).toDateString() === new Date(today).toDateString();
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const day = { day: 'numeric', month: 'short' } as const;
  return new Intl.DateTimeFormat('en-GB', isToday ? time : { ...day, ...time }).format(at);
}

/** `7 s`, `3 min 20 s`, `2 h 5 min`. */
export function elapsedText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
  if (hours > 0) return l10n.t('{0} h {1} min', hours, minutes % 60);
  if (minutes > 0) return l10n.t('{0} min {1} s', minutes, seconds % 60);
  return l10n.t('{0} s', seconds);
}
