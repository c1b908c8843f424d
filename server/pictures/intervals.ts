/** A stretch of time, the end left out; what goes on has no end. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

export const ENDLESS = Number.POSITIVE_INFINITY;

/** In order, and without touching each other. */
export type Intervals = readonly Interval[];

export function union(all: Intervals): Intervals {
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of all.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (to <= from) continue;
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}

/** Without gaps that are shorter than this: nobody sees them, and there may be thousands. */
export function withoutGaps(intervals: Intervals, leastMs: number): Intervals {
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of intervals) {
    const last = joined.at(-1);
    if (last !== undefined && from - last.to < leastMs) last.to = to;
    else joined.push({ from, to });
  }
  return joined;
}

export function intersection(some: Intervals, others: Intervals): Intervals {
  const both: Interval[] = [];
  let [at, of] = [0, 0];
  for (;;) {
    const [a, b] = [some[at], others[of]];
    if (a === undefined || b === undefined) return both;
    const [from, to] = [Math.max(a.from, b.from), Math.min(a.to, b.to)];
    if (from < to) both.push({ from, to });
    if (a.to < b.to) at += 1;
    else of += 1;
  }
}

/** What is in one and not in the others. */
export function without(some: Intervals, others: Intervals): Intervals {
  return intersection(some, complement(others));
}

/** All of time but this. */
export function complement(intervals: Intervals): Intervals {
  const gaps: Interval[] = [];
  let from = Number.NEGATIVE_INFINITY;
  for (const interval of intervals) {
    if (from < interval.from) gaps.push({ from, to: interval.from });
    from = interval.to;
  }
  return from < ENDLESS ? [...gaps, { from, to: ENDLESS }] : gaps;
}

export function touches(intervals: Intervals, { from, to }: Interval): boolean {
  return intervals.some((each) => each.from < to && each.to > from);
}

/** When so much is taken, all in all, that it counts as full. */
export function whileFull(
  uses: readonly (Interval & { readonly amount: number })[],
  isFull: (taken: number) => boolean,
): Intervals {
  const steps = uses
    .flatMap(({ from, to, amount }) => [
      { at: from, change: amount },
      { at: to, change: -amount },
    ])
    .toSorted((a, b) => a.at - b.at);
  const full: Interval[] = [];
  let taken = 0;
  let since: number | undefined;
  for (const [number, { at, change }] of steps.entries()) {
    taken += change;
    if (steps[number + 1]?.at === at) continue;
    if (isFull(taken)) since ??= at;
    else if (since !== undefined) {
      full.push({ from: since, to: at });
      since = undefined;
    }
  }
  return since === undefined ? full : [...full, { from: since, to: ENDLESS }];
}
