import { setTimeout as delay } from 'node:timers/promises';

/**
 * Resolves with the promise, or after that time. Nothing else may keep the process until then, and one
 * that ends while somebody waits looks as if it had done all.
 */
export async function soon(promise: Promise<unknown>, ms: number): Promise<void> {
  const over = new AbortController();
  await Promise.race([promise, delay(ms, undefined, { signal: over.signal }).catch(() => {})]);
  over.abort();
}
