import type { PathRules } from './fold.ts';
import { type FoldedSet, hasPath, type PathSet } from './path-set.ts';
import {
  containsPattern,
  pathOfBoth,
  type Pattern,
  patternOfNames,
  patternsMeet,
  weightOfPattern,
} from './pattern.ts';
import { comesBefore } from './letters.ts';
import { askWithin, type Budget } from './row-walk.ts';
import { type LeftPath, pathLeft, type Question } from './taken-away.ts';

export type { PathRules } from './fold.ts';
export type { Budget } from './row-walk.ts';

/** `may-overlap`: the step budget ran out, so the safe answer is that they might. */
export type Overlap =
  | { readonly kind: 'disjoint' }
  /** Without an example where it would take too long to find one. */
  | { readonly kind: 'overlaps'; readonly example: string | undefined }
  | { readonly kind: 'may-overlap' };

/** What one question may take; a tenth of a second at worst. */
const STEP_BUDGET = 500_000;

/** A place in a search takes as long as so many looks at two names. */
const SEARCH_STEP = 20;

/** And for an example of what overlaps, where nobody shares more. */
const EXAMPLE_STEPS = 1_000_000;

/** Of so many pairs of patterns the shortest example is looked for; of more than that any will do. */
const LOOKS_LIMIT = 100_000;

const DISJOINT: Overlap = { kind: 'disjoint' };
const MAY_OVERLAP: Overlap = { kind: 'may-overlap' };

/**
 * Whether some path is in both sets, decided on the patterns and not on the files that exist. Globs are
 * cheap to write and can be dear to compare, so every look at a pair, a name or a letter takes steps of
 * the budget. They are counted and not timed: equal questions have equal answers.
 */
export function overlap(
  a: PathSet,
  b: PathSet,
  rules: PathRules & { readonly budget?: Budget; readonly examples?: Budget },
): Overlap {
  const one = a.under(rules);
  const other = b.under(rules);
  const budget = rules.budget ?? { stepsLeft: STEP_BUDGET };
  const before = Math.max(budget.stepsLeft, FREE_LOOKS);
  const looks = { stepsLeft: before };
  const found =
    one.exclude.length > 0 || other.exclude.length > 0
      ? overlapLeft(one, other, { budget, looks })
      : overlapPlain(one, other, { looks, examples: rules.examples });
  budget.stepsLeft -= before - looks.stepsLeft;
  return found;
}

/** What is seen at a glance is told also where the budget has ended. */
const FREE_LOOKS = 1000;

function overlapPlain(
  one: FoldedSet,
  other: FoldedSet,
  { looks, examples }: { readonly looks: Budget; readonly examples: Budget | undefined },
): Overlap {
  const isMet = doMeet(one, other, looks);
  if (looks.stepsLeft < 0) return MAY_OVERLAP;
  return isMet ? overlapOf(one, other, examples) : DISJOINT;
}

function doMeet(one: FoldedSet, other: FoldedSet, budget: Budget): boolean {
  for (const x of one.include)
    for (const y of other.include) {
      budget.stepsLeft -= 1;
      if (budget.stepsLeft < 0 || patternsMeet(x, y, budget)) return true;
    }
  return false;
}

/** The example is looked for when it is first read: hardly anybody who asks shows it. */
function overlapOf(one: FoldedSet, other: FoldedSet, examples: Budget | undefined): Overlap {
  let found: { readonly example: string | undefined } | undefined;
  return {
    kind: 'overlaps',
    get example() {
      const all = examples ?? { stepsLeft: EXAMPLE_STEPS };
      found ??= { example: askWithin(all, (own) => shortestPath(one, other, own)) };
      return found.example;
    },
  };
}

function shortestPath(one: FoldedSet, other: FoldedSet, budget: Budget): string | undefined {
  let best: string | undefined;
  let looks = 0;
  for (const x of one.include)
    for (const y of other.include) {
      looks += 1;
      budget.stepsLeft -= 1;
      if (best !== undefined && looks > LOOKS_LIMIT) return best;
      if (isLonger(x, y, best) || !patternsMeet(x, y, budget)) continue;
      if (!isAffordable(x, y, budget)) return best;
      const path = pathOfBoth(x, y);
      if (path !== undefined && (best === undefined || comesBefore(path, best))) best = path;
    }
  return best;
}

function overlapLeft(one: FoldedSet, other: FoldedSet, spent: Spent): Overlap {
  const { looks: looking } = spent;
  let best: string | undefined;
  let isHard = false;
  let looks = 0;
  for (const x of one.include)
    for (const y of other.include) {
      looks += 1;
      looking.stepsLeft -= 1;
      if (best !== undefined && looks > LOOKS_LIMIT) return { kind: 'overlaps', example: best };
      const isMet = !isLonger(x, y, best) && patternsMeet(x, y, looking);
      if (looking.stepsLeft < 0)
        return best === undefined ? MAY_OVERLAP : { kind: 'overlaps', example: best };
      if (!isMet) continue;
      const left = shortestLeft({ x, y, one, other }, spent);
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

interface Spent {
  /** For searches. */
  readonly budget: Budget;
  /** For whether patterns meet. */
  readonly looks: Budget;
}

/** The shortest path of two patterns that neither set takes away. */
function shortestLeft({ x, y, one, other }: Meeting, { budget, looks }: Spent): LeftPath {
  const takenAway: Pattern[] = [];
  for (const { exclude } of [one, other])
    for (const pattern of exclude) {
      looks.stepsLeft -= pattern.length * (x.length + y.length);
      if (looks.stepsLeft < 0) return { kind: 'too-hard' };
      if (containsPattern(pattern, x) || containsPattern(pattern, y)) return NONE;
      if (patternsMeet(pattern, x, looks) && patternsMeet(pattern, y, looks))
        takenAway.push(pattern);
    }
  if (!isAffordable(x, y, budget)) return { kind: 'too-hard' };
  const path = pathOfBoth(x, y);
  if (path === undefined) return NONE;
  if (takenAway.length === 0 || !hasPath(takenAway, patternOfNames(path.split('/'))))
    return { kind: 'path', path };
  return searchLeft({ a: x, b: y, takenAway }, budget);
}

const NONE: LeftPath = { kind: 'none' };

/** What is found at a glance is not counted, so that what is too hard does not hide it. */
const FREE_STEPS = 16;

/** So many letters are put together, or compared, in one step. */
const LETTERS_IN_STEP = 400;

/** The path that two patterns share is put together in all places of one and the other. */
function isAffordable(x: Pattern, y: Pattern, budget: Budget): boolean {
  const [one, other] = [weightOfPattern(x), weightOfPattern(y)];
  const steps = one * other * Math.ceil((one + other) / LETTERS_IN_STEP);
  if (steps <= FREE_STEPS) return true;
  const isEnough = steps <= budget.stepsLeft;
  budget.stepsLeft = isEnough ? budget.stepsLeft - steps : 0;
  return isEnough;
}

/** No question takes more than its own budget from one that several share. */
function searchLeft(question: Question, budget: Budget): LeftPath {
  if (budget.stepsLeft <= 0) return { kind: 'too-hard' };
  const allowed = Math.ceil(Math.min(budget.stepsLeft, STEP_BUDGET) / SEARCH_STEP);
  const own = { stepsLeft: allowed };
  const left = pathLeft(question, own);
  budget.stepsLeft -= (allowed - own.stepsLeft) * SEARCH_STEP;
  return left;
}
