/** A stretch of time that a picture shows. */
export interface Seen {
  readonly from: number;
  readonly to: number;
}

const SHORTEST_MS = 2;
/** How much further than all of it one may look. */
const LARGEST = 4;

/** As much of the time as fits `factor` times, with the moment at `at` where it was. */
export function zoomed(
  seen: Seen,
  { factor, at, whole }: { factor: number; at: number; whole: Seen },
): Seen {
  const length = seen.to - seen.from;
  const most = Math.max(SHORTEST_MS, (whole.to - whole.from) * LARGEST);
  const wanted = Math.min(most, Math.max(SHORTEST_MS, length / factor));
  const part = length === 0 ? 0.5 : (at - seen.from) / length;
  return inside({ from: at - part * wanted, to: at + (1 - part) * wanted }, whole);
}

/** Later or earlier by a part of what is seen. */
export function panned(seen: Seen, { by, whole }: { by: number; whole: Seen }): Seen {
  const shift = (seen.to - seen.from) * by;
  return inside({ from: seen.from + shift, to: seen.to + shift }, whole);
}

/** A stretch that is outside is moved until it can be seen, with some room around it. */
export function showing(seen: Seen, part: Seen, whole: Seen): Seen {
  const length = seen.to - seen.from;
  if (part.from < seen.to && part.to > seen.from) return seen;
  const from = part.from - length * 0.1;
  return inside({ from, to: from + length }, whole);
}

/** At least a part of the whole stays in sight. */
function inside({ from, to }: Seen, whole: Seen): Seen {
  const length = to - from;
  const earliest = whole.from - length * 0.5;
  const latest = whole.to - length * 0.5;
  const start = Math.min(Math.max(from, earliest), Math.max(earliest, latest));
  return { from: start, to: start + length };
}

/** The rows that are at least in part between two heights. */
export function rowsBetween(
  { top, height }: { readonly top: number; readonly height: number },
  { count, rowHeight }: { readonly count: number; readonly rowHeight: number },
): { readonly first: number; readonly last: number } {
  const first = Math.max(0, Math.floor(top / rowHeight));
  return { first, last: Math.min(count - 1, Math.ceil((top + height) / rowHeight)) };
}
