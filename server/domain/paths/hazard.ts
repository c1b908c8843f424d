import type { TaskGraph } from '../graph/graph.ts';
import type { TaskId } from '../ids.ts';
import { foldLetters } from './literal-ends.ts';
import { type Budget, mayMeet, overlap, type PathRules } from './overlap.ts';
import { orderIn, type OrderOfTask } from '../graph/order.ts';
import { parsePathSet, type PathSet } from './path-set.ts';

/** Two tasks without an order between them whose paths overlap, at least one of them writing. */
export interface Hazard {
  readonly kind: 'write-write' | 'read-write';
  /** Of a read-write hazard, `first` is the writer. */
  readonly first: TaskId;
  readonly second: TaskId;
  /** A path that both would touch; absent when the exact answer was too expensive. */
  readonly example?: string;
}

interface TaskPaths {
  readonly id: TaskId;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

interface Claimant {
  readonly id: TaskId;
  readonly reads: PathSet;
  readonly writes: PathSet;
}

/** More than anybody reads; past them a plan needs another idea, not a longer list. */
const HAZARD_LIMIT = 1000;
/** Past this many pairs, or exact comparisons, the rest is left: nobody waits minutes for a squiggle. */
const PAIR_LIMIT = 1_000_000;
const COMPARISON_LIMIT = 5000;
/** Over all pairs: steps of exact comparison, and tasks met while looking for an order. */
const STEP_LIMIT = 5_000_000;
const ORDER_LIMIT = 100_000_000;

export interface HazardReport {
  /** At most one for two tasks: the write-write one if there is one. In the order of the tasks. */
  readonly hazards: readonly Hazard[];
  /** Whether every pair was compared. At dispatch every task is compared all the same. */
  readonly isComplete: boolean;
}

export function findHazards(
  tasks: readonly TaskPaths[],
  order: TaskGraph | ((id: TaskId) => OrderOfTask),
  rules: PathRules,
): HazardReport {
  const claimants = tasks.map((task) => ({
    id: task.id,
    reads: parsePathSet(task.reads),
    writes: parsePathSet(task.writes),
  }));
  const hazards: Hazard[] = [];
  const pairs = candidatePairs(claimants, rules);
  const budget = { stepsLeft: STEP_LIMIT };
  let [comparisons, met] = [0, 0];
  const orderOf = typeof order === 'function' ? order : orderIn(order);
  let [looked, ordered]: [Claimant | undefined, OrderOfTask | undefined] = [undefined, undefined];
  for (const [a, b] of pairs) {
    // The pairs of one task stand together, so its order is looked up once.
    if (!mayCollide(a, b, rules)) continue;
    if (a !== looked) {
      [looked, ordered] = [a, orderOf(a.id)];
      met += ordered.count;
    }
    if (ordered?.has(b.id) === true) continue;
    comparisons += 1;
    const isSpent = comparisons > COMPARISON_LIMIT || met > ORDER_LIMIT || budget.stepsLeft <= 0;
    if (isSpent || hazards.length === HAZARD_LIMIT) return { hazards, isComplete: false };
    const hazard = hazardBetween(a, b, { ...rules, budget });
    if (hazard !== undefined) hazards.push(hazard);
  }
  return { hazards, isComplete: pairs.length < PAIR_LIMIT };
}

function mayCollide(a: Claimant, b: Claimant, { foldCase }: PathRules): boolean {
  return (
    mayMeet(a.writes, b.writes, foldCase) ||
    mayMeet(a.writes, b.reads, foldCase) ||
    mayMeet(b.writes, a.reads, foldCase)
  );
}

function hazardBetween(
  a: Claimant,
  b: Claimant,
  rules: PathRules & { readonly budget: Budget },
): Hazard | undefined {
  return (
    hazardOf('write-write', [a.id, a.writes], [b.id, b.writes]) ??
    hazardOf('read-write', [a.id, a.writes], [b.id, b.reads]) ??
    hazardOf('read-write', [b.id, b.writes], [a.id, a.reads])
  );

  function hazardOf(
    kind: Hazard['kind'],
    [first, firstPaths]: readonly [TaskId, PathSet],
    [second, secondPaths]: readonly [TaskId, PathSet],
  ): Hazard | undefined {
    const found = overlap(firstPaths, secondPaths, rules);
    if (found.kind === 'disjoint') return undefined;
    return { kind, first, second, ...(found.kind === 'overlaps' && { example: found.example }) };
  }
}

interface Entry {
  readonly prefix: string;
  readonly owner: number;
  readonly isWrite: boolean;
}

/**
 * The pairs worth an exact look, without comparing all with all: two patterns can only overlap when
 * the literal start of one is a start of the other's. In sorted order those stand on one stack.
 */
function candidatePairs(
  claimants: readonly Claimant[],
  { foldCase }: PathRules,
): readonly (readonly [Claimant, Claimant])[] {
  const entries: Entry[] = claimants.flatMap(({ reads, writes }, owner) =>
    [false, true].flatMap((isWrite) =>
      (isWrite ? writes : reads).ends.map(({ prefix }) => ({
        prefix: foldCase ? foldLetters(prefix) : prefix,
        owner,
        isWrite,
      })),
    ),
  );
  const pairs = new Set<number>();
  const starts: Entry[] = [];
  for (const entry of entries.toSorted((a, b) => (a.prefix < b.prefix ? -1 : 1))) {
    while (starts.length > 0 && !entry.prefix.startsWith(starts.at(-1)?.prefix ?? '')) starts.pop();
    for (const other of starts) {
      if (other.owner === entry.owner || !(other.isWrite || entry.isWrite)) continue;
      if (pairs.size === PAIR_LIMIT) break;
      const [low, high] = [Math.min(other.owner, entry.owner), Math.max(other.owner, entry.owner)];
      pairs.add(low * claimants.length + high);
    }
    starts.push(entry);
  }
  return [...pairs]
    .toSorted((a, b) => a - b)
    .map((pair) => {
      const low = Math.floor(pair / claimants.length);
      return [claimants[low]!, claimants[pair % claimants.length]!] as const;
    });
}
