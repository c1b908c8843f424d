/** One line of the table. Only `ratio` can be compared between machines. */
export interface Row {
  readonly what: string;
  readonly ours: string;
  /** What we are measured against, in the same process and round. */
  readonly limit: string;
  readonly ratio: number;
  /** Absent: there is no goal, the figure is for the record. */
  readonly atMost?: number;
}

export interface Bench {
  readonly name: string;
  readonly run: () => readonly Row[] | string;
}

const ROUNDS = 5;

/**
 * The median of what each subject says of itself, in milliseconds or bytes. They take turns, so a
 * slow minute of the machine is everybody's, and the round in which they are compiled does not count.
 */
export function medians<Name extends string>(
  subjects: Readonly<Record<Name, () => number>>,
  rounds = ROUNDS,
): (name: Name) => number {
  const samples = new Map<string, number[]>();
  for (let round = 0; round <= rounds; round += 1)
    for (const name in subjects) {
      globalThis.gc?.();
      const sample = subjects[name]();
      if (round === 0) samples.set(name, []);
      else samples.get(name)?.push(sample);
    }
  return (name) => median(samples.get(name) ?? []);
}

export function milliseconds(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** What is live after a full collection, with what typed arrays hold outside the heap. */
export function liveBytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Ours against a limit, both in milliseconds for `count` steps, shown for one step. */
export function perStep(
  what: string,
  { ours, limit }: { readonly ours: Steps; readonly limit: Steps },
  atMost?: number,
): Row {
  const [own, other] = [ours.ms / ours.count, limit.ms / limit.count];
  const row = { what, ours: formatMs(own), limit: formatMs(other), ratio: own / other };
  return atMost === undefined ? row : { ...row, atMost };
}

export interface Steps {
  readonly ms: number;
  readonly count: number;
}

export function formatMs(ms: number): string {
  if (ms < 0.001) return `${(ms * 1e6).toFixed(1)} ns`;
  return ms < 1 ? `${(ms * 1000).toFixed(2)} µs` : `${ms.toFixed(2)} ms`;
}

/** Evenly from 0 up to 1, and the same for the same seed (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
