import { foldRanges, foldText, type PathRules } from './fold.ts';
import type { Part, Segment } from './glob.ts';
import { ANY_LETTER, bestLetter, type Letters, lettersMeet, lettersOf } from './letters.ts';
import type { Budget } from './row-walk.ts';
import { GAP, type Sequence, sequenceOf, sequencesMeet, shortestShared } from './sequence.ts';

/** What stands between two slashes, folded: plain text, or text with wildcards. */
export type Name = string | WildName;

export interface WildName {
  /** The text before the first wildcard, and behind the last one. */
  readonly prefix: string;
  readonly suffix: string;
  /** Whether there is one `*` between the two, and nothing else. */
  readonly isPlain: boolean;
  readonly letters: Sequence<Letters>;
  /** The same for names that are written alike, and no other. */
  readonly text: string;
}

export const ANY_NAME: Name = wildNameOf([GAP]);

export function nameOf(segment: Exclude<Segment, { kind: 'globstar' }>, rules: PathRules): Name {
  if (segment.literal !== undefined) return foldText(segment.literal, rules);
  const row: (Letters | undefined)[] = [];
  let text = '';
  for (const part of segment.parts) {
    if (part.kind === 'literal') {
      text += part.text;
      continue;
    }
    pushText();
    row.push(placeOf(part, rules));
  }
  pushText();
  const plain = plainText(row);
  return plain === undefined ? wildNameOf(row) : foldText(plain, rules);

  function pushText(): void {
    for (const letter of foldText(text, rules)) row.push(letter.codePointAt(0));
    text = '';
  }
}

/** Exact as long as the budget lasts; past it, names are taken to meet. */
export function namesMeet(a: Name, b: Name, budget?: Budget): boolean {
  if (budget !== undefined) {
    budget.stepsLeft -= 1;
    if (budget.stepsLeft < 0) return true;
  }
  if (typeof a === 'string') return typeof b === 'string' ? a === b : matches(b, a, budget);
  if (typeof b === 'string') return matches(a, b, budget);
  if (!a.prefix.startsWith(b.prefix) && !b.prefix.startsWith(a.prefix)) return false;
  if (!a.suffix.endsWith(b.suffix) && !b.suffix.endsWith(a.suffix)) return false;
  return (a.isPlain && b.isPlain) || sequencesMeet(a.letters, b.letters, metered(budget));
}

/** A class with many ranges takes as many steps. */
function metered(budget: Budget | undefined): (a: Letters, b: Letters) => boolean {
  if (budget === undefined) return lettersMeet;
  return (a, b) => {
    budget.stepsLeft -= Math.max(1, sizeOf(a), sizeOf(b));
    return budget.stepsLeft < 0 || lettersMeet(a, b);
  };
}

function sizeOf(letters: Letters): number {
  return typeof letters === 'number' ? 1 : letters.length;
}

/** How many steps it takes at most to go through it once. */
export function weightOf(name: Name): number {
  return typeof name === 'string' ? 1 : name.letters.length + name.letters.chunks.length;
}

/** The shortest name that is both. */
export function sharedName(a: Name, b: Name): string | undefined {
  if (typeof a === 'string') return namesMeet(a, b) ? a : undefined;
  if (typeof b === 'string') return matches(a, b) ? b : undefined;
  if (b.letters.length === 0 && b.letters.chunks.length > 1) return shortestName(a);
  if (a.letters.length === 0 && a.letters.chunks.length > 1) return shortestName(b);
  return shortestShared(a.letters, b.letters, LETTERS);
}

export function shortestName(name: Name): string {
  if (typeof name === 'string') return name;
  return name.letters.chunks.flat().map(LETTERS.one).join('') || 'a';
}

/** Whether `outer` surely has all that is `inner`. */
export function containsName(outer: Name, inner: Name): boolean {
  if (typeof inner === 'string') return namesMeet(outer, inner);
  if (typeof outer === 'string') return false;
  if (outer.text === inner.text) return true;
  return (
    outer.isPlain && inner.prefix.startsWith(outer.prefix) && inner.suffix.endsWith(outer.suffix)
  );
}

/** How long it is at least, in characters. */
export function lengthOf(name: Name): number {
  return typeof name === 'string' ? name.length : Math.max(1, name.letters.length);
}

export function textOf(name: Name): string {
  return typeof name === 'string' ? name : name.text;
}

/** Letter by letter, and a gap for each `*`. */
export function lettersIn(name: Name): Sequence<Letters> {
  return typeof name === 'string' ? plainSequence(name) : name.letters;
}

const LETTERS = {
  both(x: Letters, y: Letters): string | undefined {
    const code = bestLetter(x, y);
    return code === undefined ? undefined : String.fromCodePoint(code);
  },
  one: (x: Letters): string => String.fromCodePoint(bestLetter(x, x) ?? 0),
  separator: '',
};

function matches(
  { prefix, suffix, isPlain, letters }: WildName,
  name: string,
  budget?: Budget,
): boolean {
  if (name.length < prefix.length + suffix.length) return false;
  if (!name.startsWith(prefix) || !name.endsWith(suffix)) return false;
  if (isPlain) return true;
  if (budget !== undefined) budget.stepsLeft -= name.length;
  return sequencesMeet(plainSequence(name), letters, metered(budget));
}

function plainSequence(text: string): Sequence<Letters> {
  const codes = Array.from(text, (letter) => letter.codePointAt(0)!);
  return { chunks: [codes], length: codes.length };
}

function placeOf(part: Exclude<Part, { kind: 'literal' }>, rules: PathRules): Letters | undefined {
  if (part.kind === 'many') return GAP;
  return part.kind === 'one' ? ANY_LETTER : lettersOf(foldRanges(part.ranges, rules), part.negated);
}

/** A class of one character is that character: `[[]id]` is plain text. */
function plainText(row: readonly (Letters | undefined)[]): string | undefined {
  let text = '';
  for (const letters of row) {
    if (typeof letters !== 'number') return undefined;
    text += String.fromCodePoint(letters);
  }
  return text;
}

function wildNameOf(row: readonly (Letters | undefined)[]): WildName {
  const letters = sequenceOf(row);
  const [first, last] = [letters.chunks[0]!, letters.chunks.at(-1)!];
  const prefix = textAtStart(first);
  const suffix = textAtStart(last.toReversed()).split('').toReversed().join('');
  const isPlain =
    letters.chunks.length === 2 &&
    [...first, ...last].every((place) => typeof place === 'number' && place <= 0xff_ff);
  return { prefix, suffix, isPlain, letters, text: row.map(placeText).join('') };
}

/** Characters of two units are left out: nobody turns them around. */
function textAtStart(chunk: readonly Letters[]): string {
  let text = '';
  for (const letters of chunk) {
    if (typeof letters !== 'number' || letters > 0xff_ff) return text;
    text += String.fromCharCode(letters);
  }
  return text;
}

function placeText(letters: Letters | undefined): string {
  if (letters === GAP) return '*';
  if (letters === ANY_LETTER) return '?';
  if (typeof letters !== 'number') return `[${letters.join(' ')}]`;
  const text = String.fromCodePoint(letters);
  return '*?['.includes(text) ? `[${text}]` : text;
}
