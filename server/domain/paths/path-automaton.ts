import type { CharRange, Glob, Part, Segment } from './glob.ts';

/**
 * All paths of some globs as one automaton over characters: states are numbers, `0` is the start.
 * It may stand in several states at once, and follows `empty` edges without reading anything.
 */
export interface PathAutomaton {
  readonly edges: readonly (readonly Edge[])[];
  readonly empty: readonly (readonly number[])[];
  readonly accepting: ReadonlySet<number>;
}

interface Edge {
  readonly ranges: readonly CharRange[];
  readonly to: number;
}

const SLASH = 0x2f;
const LAST_CODE_POINT = 0x10_ff_ff;
const NO_SLASH: readonly CharRange[] = [
  [0, SLASH - 1],
  [SLASH + 1, LAST_CODE_POINT],
];

interface Draft {
  readonly edges: Edge[][];
  readonly empty: number[][];
  readonly accepting: Set<number>;
}

export function buildAutomaton(globs: readonly Glob[], foldCase: boolean): PathAutomaton {
  const draft: Draft = { edges: [], empty: [], accepting: new Set() };
  const start = addState(draft);
  for (const glob of globs)
    for (const segments of glob.alternatives) {
      const first = addState(draft);
      draft.empty[start]?.push(first);
      addSegments({ draft, foldCase }, segments, first);
    }
  return draft;
}

function addState(draft: Draft): number {
  draft.empty.push([]);
  return draft.edges.push([]) - 1;
}

interface Building {
  readonly draft: Draft;
  readonly foldCase: boolean;
}

/**
 * `from` stands at the start of a segment. A `**` is left without reading anything, or after whole
 * segments and their slashes. A path may also end before the `**` that ends a pattern: whoever
 * writes `src/**` also replaces `src` itself.
 */
function addSegments(building: Building, segments: readonly Segment[], from: number): void {
  const { draft } = building;
  let at = from;
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    const next = addState(draft);
    if (segment.kind === 'globstar') {
      const inside = addState(draft);
      draft.empty[at]?.push(next);
      draft.edges[at]?.push({ ranges: NO_SLASH, to: inside });
      draft.edges[inside]?.push({ ranges: NO_SLASH, to: inside });
      draft.edges[inside]?.push({ ranges: [[SLASH, SLASH]], to: at });
      if (isLast) draft.accepting.add(inside);
    } else {
      const end = addName(building, segment.parts, at);
      draft.edges[end]?.push({ ranges: [[SLASH, SLASH]], to: next });
      const restIsGlobstar = segments.slice(index + 1).every(({ kind }) => kind === 'globstar');
      if (restIsGlobstar) draft.accepting.add(end);
    }
    at = next;
  }
}

function addName({ draft, foldCase }: Building, parts: readonly Part[], from: number): number {
  let at = from;
  for (const part of parts) {
    if (part.kind === 'many') {
      // A state of its own: the loop must not be entered again from the start of the segment.
      const loop = addState(draft);
      draft.empty[at]?.push(loop);
      draft.edges[loop]?.push({ ranges: NO_SLASH, to: loop });
      at = loop;
      continue;
    }
    const next = addState(draft);
    draft.edges[at]?.push({ ranges: rangesOf(part, foldCase), to: next });
    at = next;
  }
  return at;
}

function rangesOf(part: Exclude<Part, { kind: 'many' }>, foldCase: boolean): readonly CharRange[] {
  if (part.kind === 'one') return NO_SLASH;
  const plain: readonly CharRange[] =
    part.kind === 'class'
      ? part.ranges
      : [[part.text.codePointAt(0) ?? 0, part.text.codePointAt(0) ?? 0]];
  const ranges = foldCase ? plain.flatMap(bothCases) : plain;
  return withoutSlash(part.kind === 'class' && part.negated ? complement(ranges) : ranges);
}

/** Case folding of single letters and of ranges of ASCII letters; wider ranges stay as they are. */
function bothCases(range: CharRange): readonly CharRange[] {
  const [first, last] = range;
  if (first === last) {
    const letter = String.fromCodePoint(first);
    return [letter, letter.toLowerCase(), letter.toUpperCase()].flatMap((text): CharRange[] => {
      const [char, more] = Array.from(text, (each) => each.codePointAt(0)!);
      // The large form of some letters is two letters; no file system folds those.
      return char === undefined || more !== undefined ? [] : [[char, char]];
    });
  }
  const shifted = [
    [0x41, 0x5a, 32],
    [0x61, 0x7a, -32],
  ] as const;
  const other = shifted.flatMap(([low, high, shift]): readonly CharRange[] => {
    const [from, to] = [Math.max(first, low), Math.min(last, high)];
    return from <= to ? [[from + shift, to + shift]] : [];
  });
  return [range, ...other];
}

function complement(ranges: readonly CharRange[]): readonly CharRange[] {
  const gaps: CharRange[] = [];
  let next = 0;
  for (const [first, last] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (first > next) gaps.push([next, first - 1]);
    next = Math.max(next, last + 1);
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
