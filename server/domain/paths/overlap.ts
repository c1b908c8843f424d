import type { CharRange } from './glob.ts';
import { buildAutomaton, type PathAutomaton } from './path-automaton.ts';
import {
  containsOutline,
  fitsAny,
  type Outline,
  outlinesFit,
  outlinesOf,
  type PathSet,
} from './path-set.ts';

/** `may-overlap`: the step budget ran out, so the safe answer is that they might. */
export type Overlap =
  | { readonly kind: 'disjoint' }
  | { readonly kind: 'overlaps'; readonly example: string }
  | { readonly kind: 'may-overlap' };

export interface PathRules {
  /** Whether `A` and `a` name the same file here. */
  readonly foldCase: boolean;
}

/** How many times a state may look at a character; a fraction of a second at worst. */
const STEP_BUDGET = 1_000_000;

/** What several questions may take together; past it every answer is `may-overlap`. */
export interface Budget {
  stepsLeft: number;
}

const SLASH = 0x2f;
const NOWHERE: readonly number[] = [];
const NOTHING: readonly Outline[] = [];
const DISJOINT: Overlap = { kind: 'disjoint' };

/** Whether some path is in both sets, decided on the patterns and not on the files that exist. */
export function overlap(
  a: PathSet,
  b: PathSet,
  { foldCase, budget = { stepsLeft: STEP_BUDGET } }: PathRules & { readonly budget?: Budget },
): Overlap {
  const known = compareOutlines(a, b, foldCase);
  if (known !== undefined) return known;
  if (budget.stepsLeft <= 0) return { kind: 'may-overlap' };
  return search(a, b, { foldCase, budget });
}

/** A quick look that settles most pairs. */
export function mayMeet(a: PathSet, b: PathSet, foldCase: boolean): boolean {
  const others = outlinesOf(b, foldCase);
  return outlinesOf(a, foldCase).some((one) => others.some((other) => outlinesFit(one, other)));
}

/** Exact where the outlines alone tell, and `undefined` where they do not. */
function compareOutlines(a: PathSet, b: PathSet, foldCase: boolean): Overlap | undefined {
  const takenAway = takenAwayBy(a, b, foldCase);
  let example: string | undefined;
  let isDisjoint = true;
  for (const one of outlinesOf(a, foldCase))
    for (const other of outlinesOf(b, foldCase)) {
      if (!outlinesFit(one, other) || isTakenAway(one, other, takenAway)) continue;
      isDisjoint = false;
      const shared = sharedPath(one, other);
      if (shared === undefined || (takenAway.length > 0 && fitsAny(shared, takenAway))) continue;
      if (example === undefined || comesBefore(shared, example)) example = shared;
    }
  if (example !== undefined) return { kind: 'overlaps', example };
  return isDisjoint ? DISJOINT : undefined;
}

function takenAwayBy(a: PathSet, b: PathSet, foldCase: boolean): readonly Outline[] {
  if (a.exclude.length === 0 && b.exclude.length === 0) return NOTHING;
  return [...a.exclude, ...b.exclude].flatMap((glob) => outlinesOf(glob, foldCase));
}

function isTakenAway(one: Outline, other: Outline, takenAway: readonly Outline[]): boolean {
  for (const outline of takenAway)
    if (containsOutline(outline, one) || containsOutline(outline, other)) return true;
  return false;
}

/** The shortest path that both have, where one of them contains the other. */
function sharedPath(one: Outline, other: Outline): string | undefined {
  if (containsOutline(one, other)) return other.shortest;
  return containsOutline(other, one) ? one.shortest : undefined;
}

function comesBefore(a: string, b: string): boolean {
  return a.length !== b.length ? a.length < b.length : a < b;
}

/**
 * All four automata (included and excluded, of both sides) read one path in step; the search ends at
 * the first path that both sides include and neither excludes, which is also the shortest one.
 */
function search(
  a: PathSet,
  b: PathSet,
  { foldCase, budget }: PathRules & { readonly budget: Budget },
): Overlap {
  const automata = [a.include, b.include, a.exclude, b.exclude].map((globs) =>
    buildAutomaton(globs, foldCase),
  );
  const alphabet = representatives(automata);
  const start: Position = { states: automata.map(startOf), path: '' };
  const seen = new Set([keyOf(start)]);
  const queue = [start];
  const allowed = Math.max(0, budget.stepsLeft - STEP_BUDGET);
  for (let head = 0; head < queue.length; head += 1) {
    const position = queue[head]!;
    if (isShared(automata, position)) return { kind: 'overlaps', example: position.path };
    budget.stepsLeft -= alphabet.length * weightOf(automata, position);
    if (budget.stepsLeft < allowed) return { kind: 'may-overlap' };
    for (const next of nextPositions(automata, alphabet, position)) {
      const key = keyOf(next);
      if (seen.has(key)) continue;
      seen.add(key);
      queue.push(next);
    }
  }
  return { kind: 'disjoint' };
}

interface Position {
  /** Where each of the four automata stands, sorted. */
  readonly states: readonly (readonly number[])[];
  readonly path: string;
}

function keyOf({ states, path }: Position): string {
  return `${states.join(';')}${isAtSegmentStart(path) ? '/' : ''}`;
}

function isAtSegmentStart(path: string): boolean {
  return path === '' || path.endsWith('/');
}

function isShared(automata: readonly PathAutomaton[], { states, path }: Position): boolean {
  const [inA, inB, outA, outB] = automata.map((automaton, index) =>
    (states[index] ?? []).some((state) => automaton.accepting.has(state)),
  );
  return !isAtSegmentStart(path) && inA === true && inB === true && !outA && !outB;
}

/** How many ranges of characters are looked at for one step. */
function weightOf(automata: readonly PathAutomaton[], { states }: Position): number {
  let weight = 0;
  for (const [index, automaton] of automata.entries())
    for (const state of states[index] ?? [])
      for (const edge of automaton.edges[state] ?? []) weight += edge.ranges.length;
  return weight + 1;
}

function nextPositions(
  automata: readonly PathAutomaton[],
  alphabet: readonly number[],
  { states, path }: Position,
): readonly Position[] {
  const positions: Position[] = [];
  const isAtStart = isAtSegmentStart(path);
  for (const char of alphabet) {
    if (char === SLASH && isAtStart) continue;
    const next = stepAll(automata, states, char);
    if (next !== undefined)
      positions.push({ states: next, path: path + String.fromCodePoint(char) });
  }
  return positions;
}

function stepAll(
  automata: readonly PathAutomaton[],
  states: Position['states'],
  char: number,
): Position['states'] | undefined {
  const next: (readonly number[])[] = [];
  for (let index = 0; index < automata.length; index += 1) {
    const to = step(automata[index]!, states[index]!, char);
    // Nothing that follows can be in both sets once one side stands nowhere.
    if (to.length === 0 && index < 2) return undefined;
    next.push(to);
  }
  return next;
}

function startOf(automaton: PathAutomaton): readonly number[] {
  return inOrder(reach(automaton, 0, new Set()));
}

function step(automaton: PathAutomaton, from: readonly number[], char: number): readonly number[] {
  let to: Set<number> | undefined;
  for (const state of from)
    for (const edge of automaton.edges[state]!)
      if (admits(edge.ranges, char)) to = reach(automaton, edge.to, to ?? new Set());
  return to === undefined ? NOWHERE : inOrder(to);
}

function admits(ranges: readonly CharRange[], char: number): boolean {
  for (const range of ranges) if (range[0] <= char && char <= range[1]) return true;
  return false;
}

/** Adds a state, and all that are reached from it without reading anything. */
function reach(automaton: PathAutomaton, state: number, reached: Set<number>): Set<number> {
  if (reached.has(state)) return reached;
  reached.add(state);
  for (const next of automaton.empty[state]!) reach(automaton, next, reached);
  return reached;
}

function inOrder(states: ReadonlySet<number>): readonly number[] {
  return states.size < 2 ? [...states] : [...states].toSorted((a, b) => a - b);
}

/**
 * One character for each group that no edge tells apart. A letter stands for its group where there
 * is one, so that examples read like file names.
 */
function representatives(automata: readonly PathAutomaton[]): readonly number[] {
  const starts = new Set([0, SLASH, SLASH + 1]);
  for (const automaton of automata)
    for (const edge of automaton.edges.flat())
      for (const [first, last] of edge.ranges) {
        starts.add(first);
        starts.add(last + 1);
      }
  const sorted = [...starts].filter((start) => start <= 0x10_ff_ff).toSorted((a, b) => a - b);
  return sorted
    .map((start, index) => readable(start, (sorted[index + 1] ?? 0x11_00_00) - 1))
    .toSorted((a, b) => readability(a) - readability(b) || a - b);
}

function readable(first: number, last: number): number {
  for (const start of [0x61, 0x30, 0x41]) if (first <= start && start <= last) return start;
  if (first > 0x61 && first <= 0x7a) return first;
  return first < 0x21 && last >= 0x21 ? 0x21 : first;
}

function readability(char: number): number {
  return char >= 0x61 && char <= 0x7a ? 0 : 1;
}
