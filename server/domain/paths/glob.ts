import { refusePath } from './relative-path.ts';

/**
 * One path pattern of a plan, taken apart. A leading `!` and what it means belong to the list that
 * the pattern stands in, see `path-set.ts`.
 */
interface Glob {
  /** `{a,b}` is written out, so each alternative has no braces left. */
  readonly alternatives: readonly (readonly Segment[])[];
}

/** What stands between two slashes. `globstar` is `**`: any number of whole segments. */
export type Segment = { readonly kind: 'globstar' } | Name;

interface Name {
  readonly kind: 'name';
  readonly parts: readonly Part[];
  /** All of it, where nothing in it is a wildcard. */
  readonly literal: string | undefined;
}

/** Most names are plain text, and hardly any is read letter by letter. */
export function literalName(text: string): Name {
  return new LiteralName(text);
}

class LiteralName implements Name {
  readonly kind = 'name';
  readonly literal: string;

  constructor(text: string) {
    this.literal = text;
  }

  get parts(): readonly Part[] {
    return Array.from(this.literal, literal);
  }
}

export type Part =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'one' }
  | { readonly kind: 'many' }
  | { readonly kind: 'class'; readonly negated: boolean; readonly ranges: readonly CharRange[] };

/** First and last code point, both included. */
export type CharRange = readonly [number, number];

export type GlobResult =
  | { readonly kind: 'glob'; readonly glob: Glob }
  | { readonly kind: 'refused'; readonly message: string };

const ALTERNATIVES_LIMIT = 64;
const EXPANDED_LIMIT = 8 * 1024;
const GLOB_LENGTH_LIMIT = 1024;

/**
 * Reads `src/**`, `dir/`, `[a-z]?.ts`, `{a,b}/x`; refuses what could leave the workspace.
 *
 * As in .gitignore, a pattern whose last name has no wildcard covers that path and all below it: only
 * the disk knows whether `docs` is a file or a folder, and a folder must not be protected less without
 * its slash. Such an alternative ends in a globstar. A name with an extension does not, because it is
 * mostly a file, and `package.json` is no conflict with `**\/*.md`; see `Pattern.file`.
 */
export function parseGlob(text: string): GlobResult {
  if (text.length > GLOB_LENGTH_LIMIT)
    return refused(`A path pattern has at most ${GLOB_LENGTH_LIMIT} characters.`);
  const alternatives: Segment[][] = [];
  const written = expandBraces(text);
  if (typeof written === 'string') return refused(written);
  for (const alternative of written) {
    const segments = parseSegments(alternative);
    if (typeof segments === 'string') return refused(segments);
    alternatives.push(segments);
  }
  return { kind: 'glob', glob: { alternatives } };
}

function refused(message: string): GlobResult {
  return { kind: 'refused', message };
}

/** `a{b,c}d` as `abd` and `acd`; nested braces too. A sentence instead when it cannot be done. */
function expandBraces(text: string): readonly string[] | string {
  const done: string[] = [];
  const open = [text];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const brace = findBrace(next);
    if (brace === 'unbalanced')
      return `A "{" and its "}" belong together; put a "[{]" for the character itself.`;
    if (brace === undefined) done.push(next);
    else
      for (const choice of brace.choices.toReversed())
        open.push(next.slice(0, brace.start) + choice + next.slice(brace.end));
    if (done.length + open.length > ALTERNATIVES_LIMIT)
      return `"{…}" may stand for at most ${ALTERNATIVES_LIMIT} alternatives in one pattern.`;
  }
  if (done.join('').length > EXPANDED_LIMIT)
    return `"{…}" may make one pattern stand for at most ${EXPANDED_LIMIT} characters.`;
  return done;
}

interface Brace {
  readonly start: number;
  readonly end: number;
  readonly choices: readonly string[];
}

/** The first `{…}` outside a class, with its choices split at the commas of its own level. */
function findBrace(text: string): Brace | 'unbalanced' | undefined {
  let start = -1;
  let depth = 0;
  let choiceStart = 0;
  const choices: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '[') at = Math.max(at, classEnd(text, at));
    else if (char === '{') {
      if (depth === 0) [start, choiceStart] = [at, at + 1];
      depth += 1;
    } else if (char === ',' && depth === 1) {
      choices.push(text.slice(choiceStart, at));
      choiceStart = at + 1;
    } else if (char === '}') {
      depth -= 1;
      if (depth < 0) return 'unbalanced';
      if (depth === 0)
        return { start, end: at + 1, choices: [...choices, text.slice(choiceStart, at)] };
    }
  }
  return depth === 0 ? undefined : 'unbalanced';
}

function parseSegments(text: string): Segment[] | string {
  const refusal = refusePath(text);
  if (refusal !== undefined) return refusal;
  const names = (text.endsWith('/') ? `${text}**` : text).split('/').filter((name) => name !== '.');
  if (names.length === 0) return 'Write "**" for the whole workspace folder.';
  const segments: Segment[] = [];
  for (const name of names) {
    const segment = name === '**' ? GLOBSTAR : parseName(name);
    if (typeof segment === 'string') return segment;
    segments.push(segment);
  }
  const last = segments.at(-1);
  if (last?.kind === 'name' && last.literal !== undefined && !hasExtension(last.literal))
    segments.push(GLOBSTAR);
  return segments;
}

/** Whether a name looks like that of a file: `a.ts`, but neither `.github` nor `docs`. */
export function hasExtension(name: string): boolean {
  const dot = name.lastIndexOf('.');
  return dot > 0 && dot < name.length - 1;
}

const GLOBSTAR: Segment = { kind: 'globstar' };

function parseName(name: string): Segment | string {
  if (!/[*?[]/.test(name)) return literalName(name);
  const parts: Part[] = [];
  for (let at = 0; at < name.length;) {
    const char = String.fromCodePoint(name.codePointAt(at)!);
    if (char === '[') {
      const end = classEnd(name, at);
      if (end < 0) return 'A "[" has no "]"; put a "[[]" for the character itself.';
      parts.push(parseClass(name.slice(at + 1, end)));
      at = end + 1;
      continue;
    }
    if (char === '*') parts.push({ kind: 'many' });
    else if (char === '?') parts.push({ kind: 'one' });
    else parts.push(literal(char));
    at += char.length;
  }
  const isPlain = parts.every(({ kind }) => kind === 'literal');
  return isPlain
    ? literalName(parts.map(textOf).join(''))
    : { kind: 'name', parts, literal: undefined };
}

function textOf(part: Part): string {
  return part.kind === 'literal' ? part.text : '';
}

/** The same for each time a letter is written: patterns are mostly letters. */
const LITERALS = Array.from({ length: 0x80 }, (_, code): Part => {
  return { kind: 'literal', text: String.fromCharCode(code) };
});

function literal(text: string): Part {
  return LITERALS[text.codePointAt(0)!] ?? { kind: 'literal', text };
}

/** Where the class that starts at `start` ends. A "]" that comes first in it is one of its characters. */
function classEnd(text: string, start: number): number {
  const isNegated = text[start + 1] === '!' || text[start + 1] === '^';
  return text.indexOf(']', start + (isNegated ? 3 : 2));
}

function parseClass(body: string): Part {
  const { negated, pairs } = pairsOf(body);
  const [only] = pairs;
  // `[[]` is how a pattern says that character, so it is no wildcard.
  if (!negated && only !== undefined && pairs.length === 1 && only[0] === only[1])
    return literal(only[0]);
  const ranges = pairs.map(([one, other]): CharRange => {
    const [first, last] = [one.codePointAt(0)!, other.codePointAt(0)!];
    return [Math.min(first, last), Math.max(first, last)];
  });
  return { kind: 'class', negated, ranges };
}

/** The first and the last character of each range of a class, as they are written. */
function pairsOf(body: string): {
  readonly negated: boolean;
  readonly pairs: readonly (readonly [string, string])[];
} {
  const negated = body.startsWith('!') || body.startsWith('^');
  const chars = Array.from(negated ? body.slice(1) : body);
  const pairs: (readonly [string, string])[] = [];
  for (let at = 0; at < chars.length; at += 1) {
    const isRange = chars[at + 1] === '-' && at + 2 < chars.length;
    pairs.push([chars[at]!, isRange ? chars[at + 2]! : chars[at]!]);
    if (isRange) at += 2;
  }
  return { negated, pairs };
}

/** The first range in a class that is written with its later character first, like `[z-a]`. */
export function backwardRange(
  text: string,
): { readonly text: string; readonly first: string; readonly last: string } | undefined {
  for (let at = text.indexOf('['); at >= 0; at = text.indexOf('[', at + 1)) {
    const end = classEnd(text, at);
    if (end < 0) return undefined;
    const { pairs } = pairsOf(text.slice(at + 1, end));
    const found = pairs.find(([one, other]) => one.codePointAt(0)! > other.codePointAt(0)!);
    if (found !== undefined)
      return { text: text.slice(at, end + 1), first: found[0], last: found[1] };
    at = end;
  }
  return undefined;
}
