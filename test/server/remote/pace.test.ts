import { expect, onTestFinished, test, vi } from 'vitest';
import { Pace } from '../../../server/remote/pace.ts';

const KIB = 1024;

test('a way is given as much at once as it takes in a moment', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const pace = new Pace();
  expect(pace.bytes).toBe(64 * KIB);
  await take(pace, { bytes: pace.bytes, ms: 10 });
  expect(pace.bytes).toBe(128 * KIB);
  await take(pace, { bytes: pace.bytes, ms: 1000 });
  expect(pace.bytes).toBe(128 * KIB);
  await take(pace, { bytes: pace.bytes, ms: 5000 });
  expect(pace.bytes).toBe(64 * KIB);
  for (let round = 0; round < 20; round += 1) await take(pace, { bytes: pace.bytes, ms: 10 });
  expect(pace.bytes).toBe(2048 * KIB);
});

test('what is small says nothing about a way, and what is lost was too much', async () => {
  const pace = new Pace();
  await pace.time(10, async () => {});
  expect(pace.bytes).toBe(64 * KIB);
  await pace.time(pace.bytes, async () => {});
  const lost = pace.time(pace.bytes, async () => await Promise.reject(new Error('lost')));
  await expect(lost).rejects.toThrow('lost');
  expect(pace.bytes).toBe(64 * KIB);
});

async function take(
  pace: Pace,
  { bytes, ms }: { readonly bytes: number; readonly ms: number },
): Promise<void> {
  await pace.time(bytes, async () => void vi.advanceTimersByTime(ms));
}
