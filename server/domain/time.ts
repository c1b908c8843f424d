import { assert } from './assert.ts';

/** Milliseconds since 1970. Only a clock port makes one; everything else is given it. */
export type Instant = number & { readonly instant: unique symbol };

export function instant(milliseconds: number): Instant {
  assert(isInstant(milliseconds), 'an instant is a whole number of milliseconds');
  return milliseconds;
}

/** Later than any clock goes. */
export const NEVER = instant(Number.MAX_SAFE_INTEGER);

/** Whether a deadline has come; there may be none. */
export function isOver(deadline: Instant | undefined, now: Instant): boolean {
  return deadline !== undefined && now >= deadline;
}

/** Whatever the length of time: no part of a millisecond counts, nor what is no length at all. */
export function laterBy(at: Instant, durationMs: number): Instant {
  const later = Math.round(at + (Number.isNaN(durationMs) ? 0 : Math.max(0, durationMs)));
  return instant(Math.min(later, Number.MAX_SAFE_INTEGER));
}

/** A length of time as people read it: `40 ms`, `1.2 s`, `12 s`, `3 min 5 s`, `2 h 10 min`. What has not passed is not counted. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 1000) return `${durationMs} ms`;
  if (durationMs < 10_000) return `${(Math.floor(durationMs / 100) / 10).toFixed(1)} s`;
  const seconds = Math.floor(durationMs / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

function isInstant(milliseconds: number): milliseconds is Instant {
  return Number.isSafeInteger(milliseconds);
}
