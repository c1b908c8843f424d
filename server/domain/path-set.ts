import { type Glob, type GlobResult, parseGlob } from './glob.ts';
import { type LiteralEnds, literalEnds } from './literal-ends.ts';

/** The paths that one list of patterns stands for: any of `include` and none of `exclude`. */
export interface PathSet {
  readonly include: readonly Glob[];
  readonly exclude: readonly Glob[];
  /** Of each alternative of `include`. */
  readonly ends: readonly LiteralEnds[];
}

/** Reads one entry of a list; a leading `!` takes paths away, wherever in the list it stands. */
export function parsePattern(text: string): GlobResult & { readonly takesAway: boolean } {
  const takesAway = text.startsWith('!');
  return { ...parseGlob(takesAway ? text.slice(1) : text), takesAway };
}

/** Patterns that cannot be read are left out: the plan's problems name them. */
export function parsePathSet(patterns: readonly string[]): PathSet {
  const include: Glob[] = [];
  const exclude: Glob[] = [];
  for (const pattern of patterns) {
    const parsed = parsePattern(pattern);
    if (parsed.kind === 'glob') (parsed.takesAway ? exclude : include).push(parsed.glob);
  }
  const ends = include.flatMap(({ alternatives }) => alternatives.map(literalEnds));
  return { include, exclude, ends };
}
