import type { PathRules } from './fold.ts';
import type { Segment } from './glob.ts';
import {
  containsName,
  lengthOf,
  type Name,
  nameOf,
  namesMeet,
  sharedName,
  shortestName,
  textOf,
} from './name.ts';
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
}

export function patternOf(segments: readonly Segment[], rules: PathRules): Pattern {
  return withLength(
    sequenceOf(
      segments.map((segment) => (segment.kind === 'globstar' ? GAP : nameOf(segment, rules))),
    ),
  );
}

/** Names without wildcards. */
export function patternOfNames(names: readonly string[]): Pattern {
  return withLength({ chunks: [names], length: names.length });
}

/** A path and all that is below it. */
export function patternBelow(names: readonly string[]): Pattern {
  return withLength({ chunks: [names, []], length: names.length });
}

/** Whether some path is of both, exactly. */
export function patternsMeet(a: Pattern, b: Pattern): boolean {
  return sequencesMeet(a, b, namesMeet);
}

/** The shortest path that is of both; none where they do not meet. */
export function sharedPath(a: Pattern, b: Pattern): string | undefined {
  if (!patternsMeet(a, b)) return undefined;
  if (containsPattern(a, b)) return shortestPath(b);
  if (containsPattern(b, a)) return shortestPath(a);
  return shortestShared(a, b, NAMES);
}

function shortestPath({ chunks }: Pattern): string {
  let path = '';
  for (const chunk of chunks)
    for (const name of chunk) path += path === '' ? shortestName(name) : `/${shortestName(name)}`;
  return path || 'a';
}

/** Whether `outer` surely has all paths of `inner`. Where it says no, it may have them all the same. */
export function containsPattern(outer: Pattern, inner: Pattern): boolean {
  return fits(rowOf(inner), outer, isCovered);
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
  return { chunks, length, minLength: Math.max(1, minLength) };
}
