import { foldText, type PathRules } from './fold.ts';
import { type GlobResult, literalName, parseGlob } from './glob.ts';
import {
  containsPattern,
  type Pattern,
  patternBelow,
  patternOf,
  patternOfNames,
  patternsMeet,
  patternText,
  startOf,
} from './pattern.ts';

/** The patterns of a list, folded as the file system does. */
export interface FoldedSet {
  readonly include: readonly Pattern[];
  readonly exclude: readonly Pattern[];
}

/** Reads one entry of a list; a leading `!` takes paths away, wherever in the list it stands. */
export function parsePattern(text: string): GlobResult & { readonly takesAway: boolean } {
  const takesAway = text.startsWith('!');
  return { ...parseGlob(takesAway ? text.slice(1) : text), takesAway };
}

/** More than any list that somebody can still read; each is compared with those of all others. */
const PATTERNS_LIMIT = 1000;

/** Says why a list is too long to be compared with others, each pattern of it being fine. */
export function refuseList(patterns: readonly string[]): string | undefined {
  let count = 0;
  for (const text of patterns) {
    const parsed = text.includes('{') ? parsePattern(text) : undefined;
    count += parsed?.kind === 'glob' ? parsed.glob.alternatives.length : 1;
    if (count > PATTERNS_LIMIT)
      return `A list has at most ${PATTERNS_LIMIT} path patterns, and each alternative of "{…}" counts as one. Name folders or use wildcards instead.`;
  }
  return undefined;
}

/** The paths that one list of patterns stands for: any that it includes and none that it takes away. */
export class PathSet {
  readonly #read: (rules: PathRules) => FoldedSet;
  readonly #plain: FoldedSet;
  #folded: { readonly rules: PathRules; readonly set: FoldedSet } | undefined;

  constructor(read: (rules: PathRules) => FoldedSet) {
    this.#read = read;
    this.#plain = read(PLAIN);
  }

  get isEmpty(): boolean {
    return this.#plain.include.length === 0;
  }

  /** The answer for the rules that were asked for last is kept: hardly anybody has two. */
  under(rules: PathRules): FoldedSet {
    if (!rules.foldCase && rules.foldUnicode !== true) return this.#plain;
    if (this.#folded === undefined || !areSame(this.#folded.rules, rules))
      this.#folded = { rules, set: this.#read(rules) };
    return this.#folded.set;
  }

  /** The whole names that the paths of each pattern begin with: a folder that they are in, or a path. */
  get starts(): readonly string[] {
    return this.#plain.include.map(startOf);
  }

  /** What it includes, the same for sets that are written alike. */
  get text(): string {
    return this.#plain.include.map(patternText).join('\n');
  }

  has(path: string, rules: PathRules): boolean {
    const { include, exclude } = this.under(rules);
    const asked = pathPattern(path, rules);
    return hasPath(include, asked) && !hasPath(exclude, asked);
  }

  /** Whether `outer` surely has all of these paths, what either takes away left aside. */
  isWithin(outer: PathSet): boolean {
    return this.#plain.include.every((one) =>
      outer.#plain.include.some((other) => containsPattern(other, one)),
    );
  }
}

const PLAIN: PathRules = { foldCase: false };

/**
 * Patterns that cannot be read are left out: the plan's problems name them. Where they count from a
 * folder, their paths have its names before them.
 */
export function parsePathSet(patterns: readonly string[], folder = ''): PathSet {
  return new PathSet((rules) => readList(patterns, folder, rules));
}

/** The set of one path, whatever characters are in it. */
export function exactPath(path: string): PathSet {
  return new PathSet((rules) => ({ include: [pathPattern(path, rules)], exclude: [] }));
}

/**
 * What a rename of a file or folder touches: the old name and the new one, with all that is below
 * them. Claims stay as they are declared. Whoever owns the old place loses a file there, and whoever
 * owns the new one is given one that it did not write, so a rename is a write of both.
 */
export function renamedPaths({ from, to }: { from: string; to: string }): PathSet {
  return new PathSet((rules) => ({
    include: [from, to].map((path) => patternBelow(foldText(path, rules).split('/'))),
    exclude: [],
  }));
}

/** The pattern of one path, whatever characters are in it. */
export function pathPattern(path: string, rules: PathRules): Pattern {
  return patternOfNames(foldText(path, rules).split('/'));
}

export const NO_PATHS: PathSet = new PathSet(() => ({ include: [], exclude: [] }));

function readList(patterns: readonly string[], folder: string, rules: PathRules): FoldedSet {
  const include: Pattern[] = [];
  const exclude: Pattern[] = [];
  const names = folder === '' ? [] : folder.split('/').map(literalName);
  for (const pattern of patterns) {
    const parsed = parsePattern(rules.foldUnicode === true ? pattern.normalize('NFC') : pattern);
    if (parsed.kind !== 'glob') continue;
    for (const segments of parsed.glob.alternatives)
      (parsed.takesAway ? exclude : include).push(patternOf([...names, ...segments], rules));
  }
  return { include, exclude };
}

/** Whether one path is of any of some patterns. */
export function hasPath(patterns: readonly Pattern[], path: Pattern): boolean {
  for (const pattern of patterns) if (patternsMeet(pattern, path)) return true;
  return false;
}

function areSame(a: PathRules, b: PathRules): boolean {
  return a.foldCase === b.foldCase && (a.foldUnicode === true) === (b.foldUnicode === true);
}
