import type { CharRange } from './glob.ts';

/** What the file system takes for one name. What it does not tell apart, neither do we. */
export interface PathRules {
  /** Whether `A` and `a` name the same file here. */
  readonly foldCase: boolean;
  /** Whether a letter with its accent, and the same as two characters, name the same file here. */
  readonly foldUnicode?: boolean;
}

/** Every path has one folded form, and two paths name the same file exactly when theirs are equal. */
export function foldText(text: string, { foldCase, foldUnicode }: PathRules): string {
  if (isAscii(text)) return foldCase ? text.toLowerCase() : text;
  const composed = foldUnicode === true ? text.normalize('NFC') : text;
  if (!foldCase) return composed;
  const folded = Array.from(composed, foldLetter).join('');
  // A small letter may have a form together with its accent where the capital has none.
  return foldUnicode === true ? folded.normalize('NFC') : folded;
}

/**
 * Letter by letter, as file systems do: of a whole word, the small form of a letter depends on the
 * ones around it. What would become two letters stays as it is.
 */
function foldLetter(letter: string): string {
  const large = oneOr(letter, letter.toUpperCase());
  return oneOr(large, large.toLowerCase());
}

/** What the characters of some ranges fold to. */
export function foldRanges(
  ranges: readonly CharRange[],
  { foldCase }: PathRules,
): readonly CharRange[] {
  return foldCase ? ranges.flatMap(foldRange) : ranges;
}

function oneOr(letter: string, other: string): string {
  const first = other.codePointAt(0) ?? 0;
  return other.length === (first > 0xff_ff ? 2 : 1) ? other : letter;
}

function foldRange([first, last]: CharRange): readonly CharRange[] {
  const folded: CharRange[] = [];
  let start = first;
  for (const [code, small] of changesIn(first, last)) {
    if (start < code) folded.push([start, code - 1]);
    folded.push([small, small]);
    start = code + 1;
  }
  if (start <= last) folded.push([start, last]);
  return folded;
}

/** The characters from one to another that fold to something else, in order, and to what. */
function changesIn(first: number, last: number): readonly CharRange[] {
  if (last < 0x80) return CAPITALS.filter(([code]) => first <= code && code <= last);
  if (last - first < 32) return changesBetween(first, last);
  allChanges ??= changesBetween(0, LAST_WITH_CASE);
  return allChanges.filter(([code]) => first <= code && code <= last);
}

function changesBetween(first: number, last: number): readonly CharRange[] {
  const changes: CharRange[] = [];
  for (let code = first; code <= Math.min(last, LAST_WITH_CASE); code += 1) {
    const small = foldLetter(String.fromCodePoint(code)).codePointAt(0)!;
    if (small !== code) changes.push([code, small]);
  }
  return changes;
}

/** No letter behind it has two forms. */
const LAST_WITH_CASE = 0x1_ff_ff;

const CAPITALS: readonly CharRange[] = Array.from({ length: 26 }, (_, at) => [
  0x41 + at,
  0x61 + at,
]);

/** A constant that takes some milliseconds to make, so it is made when a class first needs it. */
let allChanges: readonly CharRange[] | undefined;

function isAscii(text: string): boolean {
  return !/[^\0-\u{7f}]/u.test(text);
}
