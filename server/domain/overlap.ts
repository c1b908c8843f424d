import { endsFit } from './literal-ends.ts';
import { buildAutomaton, type PathAutomaton } from './path-automaton.ts';
import type { PathSet } from './path-set.ts';

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

/**
 * Whether some path is in both sets, decided on the patterns and not on the files that exist. All
 * four automata (included and excluded, of both sides) read one path in step; the search ends at
 * the first path that both sides include and neither excludes, which is also the shortest one.
 */
export function overlap(
  a: PathSet,
  b: PathSet,
  { foldCase, budget = { stepsLeft: STEP_BUDGET } }: PathRules & { readonly budget?: Budget },
): Overlap {
  if (!mayMeet(a, b, foldCase)) return { kind: 'disjoint' };
  if (budget.stepsLeft <= 0) return { kind: 'may-overlap' };
  const automata = [a.include, b.include, a.exclude, b.exclude].map((globs) =>
    buildAutomaton(globs, foldCase),
  );
  const alphabet = representatives(automata);
  const start: Position = {
    states: automata.map((automaton) => closure(automaton, [0])),
    path: '',
  };
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

/** A quick look that settles most pairs. */
export function mayMeet(a: PathSet, b: PathSet, foldCase: boolean): boolean {
  return a.ends.some((one) => b.ends.some((other) => endsFit(one, other, foldCase)));
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
  for (const char of alphabet) {
    if (char === SLASH && isAtSegmentStart(path)) continue;
    const next = automata.map((automaton, index) => step(automaton, states[index] ?? [], char));
    // Nothing that follows can be in both sets once one side stands nowhere.
    if (next[0]?.length === 0 || next[1]?.length === 0) continue;
    positions.push({ states: next, path: path + String.fromCodePoint(char) });
  }
  return positions;
}

function step(automaton: PathAutomaton, from: readonly number[], char: number): readonly number[] {
  const to: number[] = [];
  for (const state of from)
    for (const edge of automaton.edges[state] ?? [])
      if (edge.ranges.some(([first, last]) => first <= char && char <= last)) to.push(edge.to);
  return closure(automaton, to);
}

function closure(automaton: PathAutomaton, from: readonly number[]): readonly number[] {
  const reached = new Set(from);
  const stack = [...from];
  for (let state = stack.pop(); state !== undefined; state = stack.pop())
    for (const next of automaton.empty[state] ?? [])
      if (!reached.has(next)) {
        reached.add(next);
        stack.push(next);
      }
  return [...reached].toSorted((a, b) => a - b);
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
