import { type Instant, instant } from '../domain/time.ts';
import type { Clock } from '../engine/ports.ts';

export class SystemClock implements Clock {
  now(): Instant {
    return instant(Date.now());
  }
}

export function every(intervalMs: number, callback: () => void): Disposable {
  const timer = setInterval(callback, intervalMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
