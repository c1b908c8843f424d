import type { CharRange } from './glob.ts';

/** What may stand at one place of a name: one character, or any of some. Never a slash. */
export type Letters = number | readonly CharRange[];

const SLASH = 0x2f;
const LAST_CODE_POINT = 0x10_ff_ff;

export const ANY_LETTER: Letters = [
  [0, SLASH - 1],
  [SLASH + 1, LAST_CODE_POINT],
];

/** Ranges in any order, which may overlap. A range of one character is that character. */
export function lettersOf(ranges: readonly CharRange[], isNegated: boolean): Letters {
  const sorted = joined([...ranges, ...(isNegated ? [SLASH_ONLY] : [])]);
  const plain = isNegated ? gapsOf(sorted) : withoutSlash(sorted);
  const [only] = plain;
  return plain.length === 1 && only !== undefined && only[0] === only[1] ? only[0] : plain;
}

const SLASH_ONLY: CharRange = [SLASH, SLASH];

export function lettersMeet(a: Letters, b: Letters): boolean {
  if (typeof a === 'number') return typeof b === 'number' ? a === b : hasLetter(b, a);
  return typeof b === 'number' ? hasLetter(a, b) : firstShared(a, b, () => true);
}

export function hasLetter(letters: Letters, code: number): boolean {
  if (typeof letters === 'number') return letters === code;
  for (const range of letters) if (range[0] <= code && code <= range[1]) return true;
  return false;
}

/** The character that both have and that reads best in an example. */
export function bestLetter(a: Letters, b: Letters): number | undefined {
  if (typeof a === 'number') return lettersMeet(a, b) ? a : undefined;
  if (typeof b === 'number') return hasLetter(a, b) ? b : undefined;
  let best: number | undefined;
  firstShared(a, b, (first, last) => {
    const letter = mostReadable(first, last);
    if (best === undefined || readsBefore(letter, best)) best = letter;
    return best === FIRST_CHOICE;
  });
  return best;
}

/** One character for each group that none of `all` tells apart, the ones that read best first. */
export function representatives(all: readonly Letters[]): readonly number[] {
  const starts = new Set([0, SLASH, SLASH + 1]);
  for (const letters of all)
    for (const [first, last] of rangesOf(letters)) {
      starts.add(first);
      starts.add(last + 1);
    }
  const sorted = [...starts].filter((start) => start <= LAST_CODE_POINT).toSorted((a, b) => a - b);
  return sorted
    .map((start, at) => mostReadable(start, (sorted[at + 1] ?? LAST_CODE_POINT + 1) - 1))
    .filter((code) => code !== SLASH)
    .toSorted((a, b) => (readsBefore(a, b) ? -1 : 1));
}

function rangesOf(letters: Letters): readonly CharRange[] {
  return typeof letters === 'number' ? [[letters, letters]] : letters;
}

/** A short path before a long one; of two that are as long, the one that reads like a name. */
export function comesBefore(a: string, b: string): boolean {
  if (a.length !== b.length) return a.length < b.length;
  for (let at = 0; at < a.length; at += 1)
    if (a[at] !== b[at]) return readsBefore(a.codePointAt(at)!, b.codePointAt(at)!);
  return false;
}

function readsBefore(a: number, b: number): boolean {
  const [rankA, rankB] = [rankOf(a), rankOf(b)];
  return rankA === rankB ? a < b : rankA < rankB;
}

/** What people name files with: small letters first, then digits, capitals, other signs. */
const READABLE: readonly CharRange[] = [
  [0x61, 0x7a],
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x21, 0x7e],
  [0xa1, LAST_CODE_POINT],
  [0, 0xa0],
];

const FIRST_CHOICE = 0x61;

function rankOf(code: number): number {
  return READABLE.findIndex(([first, last]) => first <= code && code <= last);
}

function mostReadable(first: number, last: number): number {
  for (const [low, high] of READABLE) if (first <= high && low <= last) return Math.max(first, low);
  return first;
}

/** Calls back for what the ranges share, until the answer is that this is enough. */
function firstShared(
  a: readonly CharRange[],
  b: readonly CharRange[],
  isEnough: (first: number, last: number) => boolean,
): boolean {
  for (let inA = 0, inB = 0; inA < a.length && inB < b.length;) {
    const [firstA, lastA] = a[inA]!;
    const [firstB, lastB] = b[inB]!;
    const [first, last] = [Math.max(firstA, firstB), Math.min(lastA, lastB)];
    if (first <= last && isEnough(first, last)) return true;
    if (lastA < lastB) inA += 1;
    else inB += 1;
  }
  return false;
}

function joined(ranges: readonly CharRange[]): readonly CharRange[] {
  const all: CharRange[] = [];
  for (const range of ranges.toSorted((a, b) => a[0] - b[0])) {
    const before = all.at(-1);
    if (before === undefined || before[1] + 1 < range[0]) all.push(range);
    else all[all.length - 1] = [before[0], Math.max(before[1], range[1])];
  }
  return all;
}

function gapsOf(sorted: readonly CharRange[]): readonly CharRange[] {
  const gaps: CharRange[] = [];
  let next = 0;
  for (const [first, last] of sorted) {
    if (first > next) gaps.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= LAST_CODE_POINT) gaps.push([next, LAST_CODE_POINT]);
  return gaps;
}

function withoutSlash(ranges: readonly CharRange[]): readonly CharRange[] {
  return ranges.flatMap(([first, last]): readonly CharRange[] => {
    if (first > SLASH || last < SLASH) return [[first, last]];
    const before: readonly CharRange[] = first < SLASH ? [[first, SLASH - 1]] : [];
    return last > SLASH ? [...before, [SLASH + 1, last]] : before;
  });
}
