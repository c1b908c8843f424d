import {
  type Glob,
  type GlobResult,
  literalName,
  type Part,
  parseGlob,
  type Segment,
} from './glob.ts';
import { endsFit, foldLetters, type LiteralEnds, literalEnds } from './literal-ends.ts';

/** The paths that one list of patterns stands for: any of `include` and none of `exclude`. */
export interface PathSet extends Outlined {
  readonly include: readonly OutlinedGlob[];
  readonly exclude: readonly OutlinedGlob[];
  /** Of each alternative of `include`. */
  readonly ends: readonly LiteralEnds[];
}

/** A set has the outlines of all that it includes. */
interface Outlined {
  /** Of each alternative, as it is and where case does not count. */
  readonly outlines: readonly Outline[];
  readonly foldedOutlines: readonly Outline[];
}

type OutlinedGlob = Glob & Outlined;

/** What is known of a pattern without reading it letter by letter; settles most comparisons. */
export interface Outline {
  /** The whole names that each of its paths starts with. */
  readonly names: readonly string[];
  /** What follows them: nothing, anything that is below or nothing, or at least one more name. */
  readonly rest: 'nothing' | 'anything' | 'names';
  /** What stands before the first `**`, the whole names among it. */
  readonly front: readonly NameOutline[];
  /** How many names its paths have; where it `isDeep`, because of a `**`, that many or more. */
  readonly length: number;
  readonly isDeep: boolean;
  readonly ends: LiteralEnds;
  /** Its shortest path. Absent where classes, or letters that are hard to fold, make it hard to say. */
  readonly shortest: string | undefined;
}

/** A name with wildcards is not whole: there may be more between its ends. */
interface NameOutline extends LiteralEnds {
  readonly isWhole: boolean;
}

/** Reads one entry of a list; a leading `!` takes paths away, wherever in the list it stands. */
export function parsePattern(text: string): GlobResult & { readonly takesAway: boolean } {
  const takesAway = text.startsWith('!');
  return { ...parseGlob(takesAway ? text.slice(1) : text), takesAway };
}

/**
 * Patterns that cannot be read are left out: the plan's problems name them. Where they count from a
 * folder, their paths have its names before them.
 */
export function parsePathSet(patterns: readonly string[], folder = ''): PathSet {
  const include: Glob[] = [];
  const exclude: Glob[] = [];
  const names = folder === '' ? [] : folder.split('/').map(literalName);
  for (const pattern of patterns) {
    const parsed = parsePattern(pattern);
    if (parsed.kind !== 'glob') continue;
    const glob = below(names, parsed.glob);
    (parsed.takesAway ? exclude : include).push(glob);
  }
  return pathSetOf(include, exclude);
}

function below(names: readonly Segment[], glob: Glob): Glob {
  if (names.length === 0) return glob;
  return { alternatives: glob.alternatives.map((segments) => [...names, ...segments]) };
}

/** The set of one path, whatever characters are in it. */
export function exactPath(path: string): PathSet {
  return pathSetOf([{ alternatives: [path.split('/').map(literalName)] }], []);
}

export const NO_PATHS: PathSet = pathSetOf([], []);

function pathSetOf(included: readonly Glob[], excluded: readonly Glob[]): PathSet {
  const [include, exclude] = [included.map(addOutlines), excluded.map(addOutlines)];
  const outlines = include.flatMap((glob) => glob.outlines);
  const foldedOutlines = include.flatMap((glob) => glob.foldedOutlines);
  return { include, exclude, ends: outlines.map(({ ends }) => ends), outlines, foldedOutlines };
}

function addOutlines({ alternatives }: Glob): OutlinedGlob {
  const outlines = alternatives.map(outlineOf);
  return { alternatives, outlines, foldedOutlines: outlines.map(foldOutline) };
}

export function outlinesOf(paths: Outlined, foldCase: boolean): readonly Outline[] {
  return foldCase ? paths.foldedOutlines : paths.outlines;
}

/** Whether some path could have both outlines. */
export function outlinesFit(a: Outline, b: Outline): boolean {
  if (!endsFit(a.ends, b.ends, false)) return false;
  if ((!a.isDeep && a.length < b.length) || (!b.isDeep && b.length < a.length)) return false;
  const shared = Math.min(a.front.length, b.front.length);
  for (let at = 0; at < shared; at += 1) if (!namesFit(a.front[at]!, b.front[at]!)) return false;
  return true;
}

/** Whether `path` could have one of the outlines. */
export function fitsAny(path: string, outlines: readonly Outline[]): boolean {
  const names = path.split('/');
  const outline: Outline = {
    names,
    rest: 'nothing',
    front: names.map((name) => ({ prefix: name, suffix: name, isWhole: true })),
    length: names.length,
    isDeep: false,
    ends: { prefix: path, suffix: path },
    shortest: path,
  };
  return outlines.some((other) => outlinesFit(outline, other));
}

/**
 * Whether `outer` surely has all paths of `inner`. Their names may differ in letters that fold to the
 * same one and yet not to each other, and then neither has a shortest path.
 */
export function containsOutline(outer: Outline, inner: Outline): boolean {
  if (outer.shortest === undefined || inner.shortest === undefined) return false;
  if (outer.rest === 'names') return false;
  if (outer.rest === 'nothing' && (inner.rest !== 'nothing' || inner.length !== outer.length))
    return false;
  for (let at = 0; at < outer.names.length; at += 1)
    if (outer.names[at] !== inner.names[at]) return false;
  return true;
}

function namesFit(a: NameOutline, b: NameOutline): boolean {
  if (a.isWhole && b.isWhole) return a.prefix === b.prefix;
  if (a.isWhole) return isBetween(a.prefix, b);
  return b.isWhole ? isBetween(b.prefix, a) : endsFit(a, b, false);
}

function isBetween(name: string, { prefix, suffix }: LiteralEnds): boolean {
  return (
    name.length >= prefix.length + suffix.length && name.startsWith(prefix) && name.endsWith(suffix)
  );
}

function outlineOf(segments: readonly Segment[]): Outline {
  const firstDeep = segments.findIndex(({ kind }) => kind === 'globstar');
  const isDeep = firstDeep >= 0;
  const front = (isDeep ? segments.slice(0, firstDeep) : segments).map(nameOutlineOf);
  const firstOpen = front.findIndex(({ isWhole }) => !isWhole);
  const names = front
    .slice(0, firstOpen < 0 ? front.length : firstOpen)
    .map(({ prefix }) => prefix);
  const length = segments.filter(({ kind }) => kind === 'name').length;
  return {
    names,
    rest: names.length < length ? 'names' : isDeep ? 'anything' : 'nothing',
    front,
    length,
    isDeep,
    ends: literalEnds(segments),
    shortest: shortestPath(segments),
  };
}

function nameOutlineOf(segment: Segment): NameOutline {
  const literal = segment.kind === 'name' ? segment.literal : undefined;
  if (literal !== undefined) return { prefix: literal, suffix: literal, isWhole: true };
  const { prefix, suffix } = literalEnds([segment]);
  return { prefix, suffix, isWhole: false };
}

/** Each `**` stands for no folder and each `*` for no letter, unless nothing would be left. */
function shortestPath(segments: readonly Segment[]): string | undefined {
  const names: string[] = [];
  for (const segment of segments) {
    if (segment.kind === 'globstar') continue;
    if (segment.literal !== undefined) {
      names.push(segment.literal || 'a');
      continue;
    }
    if (segment.parts.some(({ kind }) => kind === 'class')) return undefined;
    names.push(segment.parts.map(shortestText).join('') || 'a');
  }
  return names.join('/') || 'a';
}

function shortestText(part: Part): string {
  if (part.kind === 'literal') return part.text;
  return part.kind === 'one' ? 'a' : '';
}

function foldOutline(outline: Outline): Outline {
  const { names, front, ends, shortest } = outline;
  // Most patterns are written in small letters, and then one outline serves both.
  if (front.every(isFolded) && isFolded(ends) && foldsToItself(shortest ?? '')) return outline;
  return {
    ...outline,
    names: names.map(fold),
    front: front.map((name) => ({ ...foldEnds(name), isWhole: name.isWhole })),
    ends: foldEnds(ends),
    shortest: shortest !== undefined && isAscii(shortest) ? shortest.toLowerCase() : undefined,
  };
}

function foldEnds({ prefix, suffix }: LiteralEnds): LiteralEnds {
  return { prefix: fold(prefix), suffix: fold(suffix) };
}

function isFolded({ prefix, suffix }: LiteralEnds): boolean {
  return foldsToItself(prefix) && foldsToItself(suffix);
}

/** Without capitals, and without letters that are hard to fold. */
function foldsToItself(text: string): boolean {
  return /^[\0-@[-\u{7f}]*$/u.test(text);
}

function fold(text: string): string {
  return isAscii(text) ? text.toLowerCase() : foldLetters(text);
}

function isAscii(text: string): boolean {
  return !/[^\0-\u{7f}]/u.test(text);
}
