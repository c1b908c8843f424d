import { comesBefore } from './letters.ts';

/**
 * Things in a row with gaps between them, and a gap stands for anything of any length: the letters of
 * a name between its `*`, and the names of a pattern between its `**`.
 */
export interface Sequence<T> {
  /** What stands between the gaps. One chunk: no gap; the first and the last may be empty. */
  readonly chunks: readonly (readonly T[])[];
  /** Of all chunks together. */
  readonly length: number;
}

/** A gap, where a sequence is written in one row. */
export const GAP = undefined;

/** A sequence in one row. */
export type Row<T> = readonly (T | undefined)[];

/** Two gaps in a row are one. */
export function sequenceOf<T>(row: Row<T>): Sequence<T> {
  const chunks: T[][] = [[]];
  let length = 0;
  for (const [at, thing] of row.entries()) {
    if (thing !== GAP) {
      chunks.at(-1)!.push(thing);
      length += 1;
    } else if (at === 0 || row[at - 1] !== GAP) chunks.push([]);
  }
  return { chunks, length };
}

export function rowOf<T>({ chunks }: Sequence<T>): Row<T> {
  const row: (T | undefined)[] = [];
  for (const [at, chunk] of chunks.entries()) {
    if (at > 0) row.push(GAP);
    row.push(...chunk);
  }
  return row;
}

/**
 * Whether something fits both. Each place is only ever asked of two things at once, so no more is
 * needed than to lay the rows side by side: with gaps in both, all that is between their ends can
 * stand one after the other; with gaps in one, each chunk goes to the first place where it fits.
 */
export function sequencesMeet<T>(
  a: Sequence<T>,
  b: Sequence<T>,
  meet: (x: T, y: T) => boolean,
): boolean {
  if (a.chunks.length === 1) return fits(a.chunks[0]!, b, meet);
  if (b.chunks.length === 1) return fits(b.chunks[0]!, a, meet);
  return startsMeet(a.chunks[0]!, b.chunks[0]!, meet) && endsMeet(a, b, meet);
}

function startsMeet<T>(a: readonly T[], b: readonly T[], meet: (x: T, y: T) => boolean): boolean {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at += 1) if (!meet(a[at]!, b[at]!)) return false;
  return true;
}

function endsMeet<T>(a: Sequence<T>, b: Sequence<T>, meet: (x: T, y: T) => boolean): boolean {
  const [endA, endB] = [a.chunks[a.chunks.length - 1]!, b.chunks[b.chunks.length - 1]!];
  const shared = Math.min(endA.length, endB.length);
  for (let at = 1; at <= shared; at += 1)
    if (!meet(endA[endA.length - at]!, endB[endB.length - at]!)) return false;
  return true;
}

/** Whether a row goes into a sequence, each thing of it to one that it meets or into a gap. */
export function fits<X, T>(
  row: readonly X[],
  { chunks, length }: Sequence<T>,
  meet: (x: X, y: T) => boolean,
): boolean {
  if (row.length < length || (chunks.length === 1 && row.length > length)) return false;
  const last = chunks[chunks.length - 1]!;
  const end = row.length - last.length;
  if (!isAt(0, chunks[0]!) || !isAt(end, last)) return false;
  let at = chunks[0]!.length;
  for (let index = 1; index < chunks.length - 1; index += 1) {
    const chunk = chunks[index]!;
    while (at + chunk.length <= end && !isAt(at, chunk)) at += 1;
    at += chunk.length;
    if (at > end) return false;
  }
  return true;

  function isAt(start: number, chunk: readonly T[]): boolean {
    for (let offset = 0; offset < chunk.length; offset += 1)
      if (!meet(row[start + offset]!, chunk[offset]!)) return false;
    return true;
  }
}

/** How things are written in an example. */
export interface Spelling<T> {
  /** What fits both; nothing where they do not meet. */
  readonly both: (x: T, y: T) => string | undefined;
  readonly one: (x: T) => string;
  readonly separator: string;
}

/** The shortest text that fits both, and of those the one that reads best. */
export function shortestShared<T>(
  a: Sequence<T>,
  b: Sequence<T>,
  spelling: Spelling<T>,
): string | undefined {
  let [rowA, rowB] = [rowOf(a), rowOf(b)];
  const first = sharedFrom(rowA, rowB, spelling);
  [rowA, rowB] = [rowA.slice(first.length), rowB.slice(first.length)];
  const last = sharedFrom(rowA.toReversed(), rowB.toReversed(), spelling).toReversed();
  const middle = shortestBetween(
    rowA.slice(0, rowA.length - last.length),
    rowB.slice(0, rowB.length - last.length),
    spelling,
  );
  const texts = [...first, middle === '' ? undefined : middle, ...last];
  return middle === undefined ? undefined : texts.filter(isText).join(spelling.separator);
}

function isText(text: string | undefined): text is string {
  return text !== undefined;
}

/** As far as neither row has a gap, each thing of one is that of the other too. */
function sharedFrom<T>(a: Row<T>, b: Row<T>, { both }: Spelling<T>): readonly string[] {
  const texts: string[] = [];
  for (let at = 0; at < a.length && at < b.length; at += 1) {
    const [x, y] = [a[at], b[at]];
    const text = x === GAP || y === GAP ? undefined : both(x, y);
    if (text === undefined) break;
    texts.push(text);
  }
  return texts;
}

function shortestBetween<T>(a: Row<T>, b: Row<T>, spelling: Spelling<T>): string | undefined {
  const rows = { a: spelledRow(a, spelling), b: spelledRow(b, spelling), spelling };
  for (const [one, other] of [
    [rows.a, rows.b],
    [rows.b, rows.a],
  ] as const)
    if (one.length === 1 && one[0] === GAP)
      return other.flatMap((spelled) => spelled?.text ?? []).join(spelling.separator);
  let behind: readonly (string | undefined)[] = [];
  for (let inA = rows.a.length; inA >= 0; inA -= 1) behind = textsBehind(inA, behind, rows);
  return behind[0];
}

interface SpelledRows<T> {
  readonly a: readonly Spelled<T>[];
  readonly b: readonly Spelled<T>[];
  readonly spelling: Spelling<T>;
}

/** Nothing for a gap. */
type Spelled<T> = { readonly thing: T; readonly text: string } | undefined;

function spelledRow<T>(row: Row<T>, { one }: Spelling<T>): readonly Spelled<T>[] {
  return row.map((thing) => (thing === GAP ? GAP : { thing, text: one(thing) }));
}

/** For each place where B may stand with A at this one: what has to follow. */
function textsBehind<T>(
  inA: number,
  behind: readonly (string | undefined)[],
  { a, b, spelling }: SpelledRows<T>,
): readonly (string | undefined)[] {
  const here: (string | undefined)[] = [];
  const x = a[inA];
  const isGapA = x === GAP && inA < a.length;
  for (let inB = b.length; inB >= 0; inB -= 1) {
    const y = b[inB];
    if (inA === a.length && inB === b.length) here[inB] = '';
    else if (x !== GAP && y !== GAP)
      here[inB] = followed(() => spelling.both(x.thing, y.thing), behind[inB + 1]);
    else {
      // A gap is left, or takes in what the other has next.
      const isGapB = y === GAP && inB < b.length;
      const left = better(isGapA ? behind[inB] : undefined, isGapB ? here[inB + 1] : undefined);
      const filled =
        x === GAP
          ? isGapA && y !== GAP && followed(() => y.text, here[inB + 1])
          : isGapB && followed(() => x.text, behind[inB]);
      here[inB] = better(left, filled || undefined);
    }
  }
  return here;

  function followed(
    textOf: () => string | undefined,
    rest: string | undefined,
  ): string | undefined {
    const text = rest === undefined ? undefined : textOf();
    if (text === undefined || rest === undefined) return undefined;
    return rest === '' ? text : text + spelling.separator + rest;
  }
}

function better(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined) return b;
  return b === undefined || !comesBefore(b, a) ? a : b;
}
