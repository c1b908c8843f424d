import type { PathRules } from './fold.ts';
import { hasExtension, type Segment } from './glob.ts';
import {
  containsName,
  lengthOf,
  type Name,
  nameOf,
  namesMeet,
  sharedName,
  shortestName,
  textOf,
  weightOf,
} from './name.ts';
import type { Budget } from './row-walk.ts';
import {
  fits,
  GAP,
  rowOf,
  type Sequence,
  sequenceOf,
  sequencesMeet,
  shortestShared,
} from './sequence.ts';

/**
 * One alternative of a glob, folded: names, and a gap for each `**`. As a path may end where a gap
 * begins, `src/**` is also `src` itself: whoever replaces the tree replaces its root.
 */
export interface Pattern extends Sequence<Name> {
  /** How many characters its paths have at least. */
  readonly minLength: number;
  /**
   * The last name, where it is plain and has an extension. All below it is covered too, in case that it
   * is a folder; but only a pattern that names it as a folder is taken to look into it. Otherwise every
   * file would be a conflict with every `**\/*.md`.
   */
  readonly file?: string | undefined;
  /** The starts of it that name a folder with an extension, as `vendor/chart.js` of `vendor/chart.js/lib`. */
  readonly folders?: readonly Sequence<Name>[] | undefined;
}

export function patternOf(segments: readonly Segment[], rules: PathRules): Pattern {
  const row = segments.map((segment) =>
    segment.kind === 'globstar' ? GAP : nameOf(segment, rules),
  );
  const last = row.at(-1);
  const pattern = withLength(sequenceOf(row));
  return typeof last === 'string' && hasExtension(last) ? { ...pattern, file: last } : pattern;
}

/** Names without wildcards. */
export function patternOfNames(names: readonly string[]): Pattern {
  return withLength({ chunks: [names], length: names.length });
}

/** A path and all that is below it. */
export function patternBelow(names: readonly string[]): Pattern {
  return withLength({ chunks: [names, []], length: names.length });
}

/**
 * Whether some path is of both, exactly, but for what may be below a file. Past the budget they are
 * taken to meet.
 */
export function patternsMeet(a: Pattern, b: Pattern, budget?: Budget): boolean {
  const meet = (x: Name, y: Name): boolean => namesMeet(x, y, budget);
  return sequencesMeet(a, b, meet) || isBelow(a, b, meet) || isBelow(b, a, meet);
}

/** Whether one names the file of the other as a folder. */
function isBelow(
  one: Pattern,
  other: Pattern,
  meet: (x: Name, y: Name) => boolean = (x, y) => namesMeet(x, y),
): boolean {
  if (other.file === undefined || one.folders === undefined) return false;
  return one.folders.some((folder) => sequencesMeet(folder, other, meet));
}

/** How many steps it takes at most to go through it once, letter by letter. */
export function weightOfPattern({ chunks }: Pattern): number {
  let weight = chunks.length;
  for (const chunk of chunks) for (const name of chunk) weight += weightOf(name);
  return weight;
}

/** The shortest path that is of both; none where they do not meet. */
export function sharedPath(a: Pattern, b: Pattern): string | undefined {
  return patternsMeet(a, b) ? pathOfBoth(a, b) : undefined;
}

/** The same where it is known that they meet. */
export function pathOfBoth(a: Pattern, b: Pattern): string | undefined {
  if (containsPattern(a, b)) return shortestPath(b);
  if (containsPattern(b, a)) return shortestPath(a);
  if (sequencesMeet(a, b, (x, y) => namesMeet(x, y))) return shortestShared(a, b, NAMES);
  return isBelow(a, b)
    ? shortestShared(a, andBelow(b), NAMES)
    : shortestShared(andBelow(a), b, NAMES);
}

function andBelow({ chunks, length }: Pattern): Sequence<Name> {
  return { chunks: [...chunks, []], length };
}

function shortestPath({ chunks }: Pattern): string {
  let path = '';
  for (const chunk of chunks)
    for (const name of chunk) path += path === '' ? shortestName(name) : `/${shortestName(name)}`;
  return path || 'a';
}

/** Whether `outer` surely has all paths of `inner`. Where it says no, it may have them all the same. */
export function containsPattern(outer: Pattern, inner: Pattern): boolean {
  if (fits(rowOf(inner), outer, isCovered)) return true;
  if (outer.file === undefined || inner.folders === undefined) return false;
  return inner.folders.some((folder) => fits(rowOf(folder), outer, isCovered));
}

function isCovered(inner: Name | undefined, outer: Name): boolean {
  return inner !== GAP && containsName(outer, inner);
}

/** As it is written, folded and without what says nothing. */
export function patternText({ chunks }: Pattern): string {
  return chunks.map((chunk) => chunk.map(textOf).join('/')).join('/**/');
}

/** The whole names that each of its paths begins with. */
export function startOf({ chunks }: Pattern): string {
  const names: string[] = [];
  for (const name of chunks[0]!) {
    if (typeof name !== 'string') break;
    names.push(name);
  }
  return names.join('/');
}

const NAMES = { both: sharedName, one: shortestName, separator: '/' };

function withLength({ chunks, length }: Sequence<Name>): Pattern {
  let minLength = Math.max(0, length - 1);
  for (const chunk of chunks) for (const name of chunk) minLength += lengthOf(name);
  const folders = foldersOf({ chunks, length });
  return { chunks, length, minLength: Math.max(1, minLength), folders };
}

/** Nobody nests more of them; each takes memory. */
const FOLDERS_LIMIT = 16;

function foldersOf({ chunks, length }: Sequence<Name>): readonly Sequence<Name>[] | undefined {
  let folders: Sequence<Name>[] | undefined;
  let seen = 0;
  for (const [index, chunk] of chunks.entries())
    for (const [at, name] of chunk.entries()) {
      seen += 1;
      if (seen === length || folders?.length === FOLDERS_LIMIT) return folders;
      if (typeof name !== 'string' || !hasExtension(name)) continue;
      const start = [...chunks.slice(0, index), chunk.slice(0, at + 1)];
      (folders ??= []).push({ chunks: start, length: seen });
    }
  return folders;
}
