/** Lines of the newer text, the end left out. Where nothing is between them, lines were taken out there. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** Past this many lines that differ, all between the first and the last of them counts as changed. */
const DIFFERENCE_LIMIT = 200;

/**
 * Which lines are not as they were. Nothing of it is remembered from edit to edit, so that whoever
 * undoes all of them is back where they began, on whatever way.
 */
export function changedLines(
  before: readonly string[],
  now: readonly string[],
): readonly LineRange[] {
  let start = 0;
  while (start < before.length && start < now.length && before[start] === now[start]) start += 1;
  let [oldEnd, end] = [before.length, now.length];
  while (oldEnd > start && end > start && before[oldEnd - 1] === now[end - 1]) {
    oldEnd -= 1;
    end -= 1;
  }
  if (start === oldEnd && start === end) return [];
  if (start === oldEnd || start === end) return [{ start, end }];
  const old = before.slice(start, oldEnd);
  const fresh = now.slice(start, end);
  const ranges = (haveCommon(old, fresh) ? leastChanges(old, fresh) : undefined) ?? [
    { start: 0, end: fresh.length },
  ];
  return ranges.map((range) => ({ start: range.start + start, end: range.end + start }));
}

/** Where every line is another one there is nothing to look for. */
function haveCommon(some: readonly string[], others: readonly string[]): boolean {
  const known = new Set(some);
  return others.some((line) => known.has(line));
}

/** At most so many ranges: what is left over is one that holds it all. */
export function atMost(ranges: readonly LineRange[], most: number): readonly LineRange[] {
  const [first, last] = [ranges[most - 1], ranges.at(-1)];
  if (ranges.length <= most || first === undefined || last === undefined) return ranges;
  return [...ranges.slice(0, most - 1), { start: first.start, end: last.end }];
}

/**
 * The fewest lines that were put in or taken out (Myers 1986). `furthest` is how far into `old` one
 * comes on each diagonal; the steps before tell the way back. Nothing where they are too many.
 */
function leastChanges(
  old: readonly string[],
  fresh: readonly string[],
): readonly LineRange[] | undefined {
  const most = Math.min(DIFFERENCE_LIMIT, old.length + fresh.length);
  const furthest = new Int32Array(2 * most + 3);
  const middle = most + 1;
  const steps: Int32Array[] = [];
  for (let count = 0; count <= most; count += 1) {
    steps.push(furthest.slice());
    for (let diagonal = -count; diagonal <= count; diagonal += 2) {
      let at = nextOn(furthest, { middle, diagonal, count });
      while (at < old.length && at - diagonal < fresh.length && old[at] === fresh[at - diagonal])
        at += 1;
      furthest[middle + diagonal] = at;
      if (at >= old.length && at - diagonal >= fresh.length)
        return wayBack(steps, { middle, old: old.length, fresh: fresh.length });
    }
  }
  return undefined;
}

interface Step {
  readonly middle: number;
  readonly diagonal: number;
  readonly count: number;
}

/** Down: a line was put in. To the right: one was taken out. */
function nextOn(furthest: Int32Array, { middle, diagonal, count }: Step): number {
  return isDown(furthest, { middle, diagonal, count })
    ? furthest[middle + diagonal + 1]!
    : furthest[middle + diagonal - 1]! + 1;
}

function isDown(furthest: Int32Array, { middle, diagonal, count }: Step): boolean {
  if (diagonal === -count) return true;
  if (diagonal === count) return false;
  return furthest[middle + diagonal - 1]! < furthest[middle + diagonal + 1]!;
}

function wayBack(
  steps: readonly Int32Array[],
  { middle, ...size }: { readonly middle: number; readonly old: number; readonly fresh: number },
): readonly LineRange[] {
  const ranges: LineRange[] = [];
  let diagonal = size.old - size.fresh;
  for (let count = steps.length - 1; count > 0; count -= 1) {
    const furthest = steps[count]!;
    const down = isDown(furthest, { middle, diagonal, count });
    const next = down ? diagonal + 1 : diagonal - 1;
    const at = furthest[middle + next]! - next;
    addBefore(ranges, { start: at, end: down ? at + 1 : at });
    diagonal = next;
  }
  return ranges.toReversed();
}

/** They come from the last to the first; those that touch are one. */
function addBefore(ranges: LineRange[], range: LineRange): void {
  const later = ranges.at(-1);
  if (later === undefined || later.start > range.end) ranges.push(range);
  else ranges[ranges.length - 1] = { start: range.start, end: Math.max(later.end, range.end) };
}
