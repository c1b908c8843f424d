import type { Entries } from './probe.ts';

/**
 * From the kill of a process that decided to the first thing that another one wrote; only where that
 * one was there at the time.
 */
export function takeOverMs(journal: Entries): number | undefined {
  const at = journal.findIndex(([word]) => word === 'killed');
  const [, pid, killedAt] = journal[at] ?? [];
  const hasDecided = journal.slice(0, at).some(([word, who]) => word === 'began' && who === pid);
  const next = journal.slice(at).find(([word, who]) => word === 'began' && who !== pid);
  if (at < 0 || !hasDecided || next === undefined) return undefined;
  return Number(next[2]) - Number(killedAt);
}

/** Of all that were measured: the middle, the worst but one in a hundred, and the worst. */
export function spreadOf(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN;
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms (${sorted.length} times)`;
}
