import type { PathRules } from './fold.ts';
import { type FoldedSet, hasPath, type PathSet } from './path-set.ts';
import {
  containsPattern,
  type Pattern,
  patternOfNames,
  patternsMeet,
  sharedPath,
} from './pattern.ts';
import { comesBefore } from './letters.ts';
import type { Budget } from './row-walk.ts';
import { type LeftPath, pathLeft, type Question } from './taken-away.ts';

export type { PathRules } from './fold.ts';
export type { Budget } from './row-walk.ts';

/** `may-overlap`: the step budget ran out, so the safe answer is that they might. */
export type Overlap =
  | { readonly kind: 'disjoint' }
  | { readonly kind: 'overlaps'; readonly example: string }
  | { readonly kind: 'may-overlap' };

/** How many places one question may look at; a fraction of a second at worst. */
const STEP_BUDGET = 200_000;

/** Of so many pairs of patterns the shortest example is looked for; of more than that any will do. */
const LOOKS_LIMIT = 100_000;

const DISJOINT: Overlap = { kind: 'disjoint' };
const MAY_OVERLAP: Overlap = { kind: 'may-overlap' };

/**
 * Whether some path is in both sets, decided on the patterns and not on the files that exist. Only
 * what is taken away can use up the budget: without it an answer is exact, and quick.
 */
export function overlap(
  a: PathSet,
  b: PathSet,
  rules: PathRules & { readonly budget?: Budget },
): Overlap {
  const one = a.under(rules);
  const other = b.under(rules);
  if (one.exclude.length === 0 && other.exclude.length === 0)
    return doMeet(one, other) ? overlapOf(one, other) : DISJOINT;
  return overlapLeft(one, other, rules.budget ?? { stepsLeft: STEP_BUDGET });
}

function doMeet(one: FoldedSet, other: FoldedSet): boolean {
  for (const x of one.include) for (const y of other.include) if (patternsMeet(x, y)) return true;
  return false;
}

/** The example is looked for when it is first read: hardly anybody who asks shows it. */
function overlapOf(one: FoldedSet, other: FoldedSet): Overlap {
  let example: string | undefined;
  return {
    kind: 'overlaps',
    get example() {
      return (example ??= shortestPath(one, other) ?? '');
    },
  };
}

function shortestPath(one: FoldedSet, other: FoldedSet): string | undefined {
  let best: string | undefined;
  let looks = 0;
  for (const x of one.include)
    for (const y of other.include) {
      looks += 1;
      if (best !== undefined && looks > LOOKS_LIMIT) return best;
      const path = isLonger(x, y, best) ? undefined : sharedPath(x, y);
      if (path !== undefined && (best === undefined || comesBefore(path, best))) best = path;
    }
  return best;
}

function overlapLeft(one: FoldedSet, other: FoldedSet, budget: Budget): Overlap {
  let best: string | undefined;
  let isHard = false;
  let looks = 0;
  for (const x of one.include)
    for (const y of other.include) {
      looks += 1;
      if (best !== undefined && looks > LOOKS_LIMIT) return { kind: 'overlaps', example: best };
      if (isLonger(x, y, best) || !patternsMeet(x, y)) continue;
      const left = shortestLeft({ x, y, one, other }, budget);
      if (left.kind === 'too-hard') isHard = true;
      else if (left.kind === 'path' && (best === undefined || comesBefore(left.path, best)))
        best = left.path;
    }
  if (best !== undefined) return { kind: 'overlaps', example: best };
  return isHard ? MAY_OVERLAP : DISJOINT;
}

/** Whether no path of both can come before one that is known. */
function isLonger(x: Pattern, y: Pattern, known: string | undefined): boolean {
  return known !== undefined && known.length < Math.max(x.minLength, y.minLength);
}

interface Meeting {
  /** Patterns that meet, of one set and of the other. */
  readonly x: Pattern;
  readonly y: Pattern;
  readonly one: FoldedSet;
  readonly other: FoldedSet;
}

/** The shortest path of two patterns that neither set takes away. */
function shortestLeft({ x, y, one, other }: Meeting, budget: Budget): LeftPath {
  const takenAway: Pattern[] = [];
  for (const { exclude } of [one, other])
    for (const pattern of exclude) {
      if (containsPattern(pattern, x) || containsPattern(pattern, y)) return NONE;
      if (patternsMeet(pattern, x) && patternsMeet(pattern, y)) takenAway.push(pattern);
    }
  if (!isAffordable(x, y, budget)) return { kind: 'too-hard' };
  const path = sharedPath(x, y);
  if (path === undefined) return NONE;
  if (takenAway.length === 0 || !hasPath(takenAway, patternOfNames(path.split('/'))))
    return { kind: 'path', path };
  return searchLeft({ a: x, b: y, takenAway }, budget);
}

const NONE: LeftPath = { kind: 'none' };

/** What is found at a glance is not counted, so that what is too hard does not hide it. */
const FREE_STEPS = 16;

/** The path that two patterns share is looked for in all places of one and the other. */
function isAffordable(x: Pattern, y: Pattern, budget: Budget): boolean {
  const steps = (x.length + x.chunks.length) * (y.length + y.chunks.length);
  if (steps <= FREE_STEPS) return true;
  const isEnough = steps <= budget.stepsLeft;
  budget.stepsLeft = isEnough ? budget.stepsLeft - steps : 0;
  return isEnough;
}

/** No question takes more than its own budget from one that several share. */
function searchLeft(question: Question, budget: Budget): LeftPath {
  if (budget.stepsLeft <= 0) return { kind: 'too-hard' };
  const allowed = Math.min(budget.stepsLeft, STEP_BUDGET);
  const own = { stepsLeft: allowed };
  const left = pathLeft(question, own);
  budget.stepsLeft -= allowed - own.stepsLeft;
  return left;
}
