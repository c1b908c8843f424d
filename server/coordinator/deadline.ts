import { clearImmediate, clearTimeout, setImmediate, setTimeout } from 'node:timers';

/**
 * Calls back after a length of time, unless disposed before. The one file of the transport with a
 * timer in it: waiting for a peer is part of what it does, as waiting for a command is for a runner.
 *
 * What has arrived by then is read first. A process that was stopped, or a machine that slept, would
 * otherwise find everybody too slow although their bytes have long been there.
 */
export function after(delayMs: number, callback: () => void): Disposable {
  let reading: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    reading = setImmediate(callback);
  }, delayMs);
  return {
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      clearImmediate(reading);
    },
  };
}

/**
 * Milliseconds that only go forward, since some moment; good for lengths of time and nothing else.
 * `performance.now()` is as good, but takes a millisecond to load.
 */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
