import { assert } from '../assert.ts';
import { type Budget, type Overlap, overlap, type PathRules } from './overlap.ts';
import { hasPath, type PathSet, pathPattern } from './path-set.ts';
import { type Entry, PathTree } from './path-tree.ts';
import type { Pattern } from './pattern.ts';

export interface OwnerOverlap<Owner> {
  readonly owner: Owner;
  readonly overlap: Exclude<Overlap, { readonly kind: 'disjoint' }>;
}

/**
 * What one question may take in all: steps from name to name of the tree, and exact comparisons. Past it
 * the answer is "maybe", for every owner that counts. These are steps and not milliseconds, because
 * the same board must decide the same again.
 */
const QUESTION_STEPS = 500_000;

/** What every question may take, whatever others have taken: ordinary paths are always compared. */
const LEAST_STEPS = 1000;

/** Until so many steps were taken beyond what was shared; then even that ends. */
const OVERDRAFT_STEPS = 500_000;

/** Who has paths that overlap given ones, without comparing all with all. */
export class PathIndex<Owner> {
  readonly #rules: PathRules;
  readonly #tree = new PathTree<Addition<Owner>>();
  readonly #additions = new Map<Owner, Addition<Owner>[]>();
  #size = 0;
  #nextNumber = 0;

  constructor(rules: PathRules) {
    this.#rules = rules;
  }

  /** How many pairs of paths and owner are in it. */
  get size(): number {
    return this.#size;
  }

  /** Each once, in the order in which they were added. */
  get owners(): Iterable<Owner> {
    return this.#additions.keys();
  }

  add(paths: PathSet, owner: Owner): void {
    const { include, exclude } = paths.under(this.#rules);
    const number = this.#nextNumber;
    const addition: Addition<Owner> = { number, owner, paths, exclude, entries: [] };
    for (const pattern of include) addition.entries.push(this.#tree.add(pattern, addition));
    const before = this.#additions.get(owner);
    if (before === undefined) this.#additions.set(owner, [addition]);
    else before.push(addition);
    this.#nextNumber += 1;
    this.#size += 1;
  }

  remove(paths: PathSet, owner: Owner): void {
    const additions = this.#additions.get(owner) ?? [];
    const at = additions.findIndex((addition) => addition.paths === paths);
    const addition = additions[at];
    assert(addition !== undefined, 'only paths that an owner was added with are removed');
    if (additions.length === 1) this.#additions.delete(owner);
    else additions.splice(at, 1);
    for (const entry of addition.entries) this.#tree.remove(entry);
    this.#size -= 1;
  }

  /** Who has this very path, each once for each of its sets that has it, in the order of adding. */
  covering(path: string): readonly Owner[] {
    const asked = pathPattern(path, this.#rules);
    const owners: Owner[] = [];
    // A path has few names, and every question about it is answered exactly.
    for (const { owner, exclude } of this.#candidates([asked], undefined) ?? [])
      if (!hasPath(exclude, asked)) owners.push(owner);
    return owners;
  }

  /**
   * An overlap with an owner that `counts` accepts, the first that is come across. There is one
   * exactly where `overlaps` finds any for the same owners, even past the budget. Of a budget that
   * several questions share, see `ask`.
   */
  anyOverlap(
    paths: PathSet,
    counts: (owner: Owner) => boolean,
    shared?: Budget,
  ): OwnerOverlap<Owner> | undefined {
    return this.#ask(shared, (rules) => this.#anyOverlap(paths, counts, rules));
  }

  #anyOverlap(
    paths: PathSet,
    counts: (owner: Owner) => boolean,
    rules: Rules,
  ): OwnerOverlap<Owner> | undefined {
    const { budget } = rules;
    // Each is compared once, for all of its patterns and ours; most questions never need a second look.
    let compared: Set<Addition<Owner>> | undefined;
    let found: OwnerOverlap<Owner> | undefined;
    for (const pattern of paths.under(this.#rules).include) {
      this.#tree.meet(
        pattern,
        (addition) => {
          if (compared?.has(addition) === true || !counts(addition.owner)) return false;
          found = compare(paths, addition, rules);
          if (found === undefined) (compared ??= new Set()).add(addition);
          return found !== undefined;
        },
        budget,
      );
      if (found !== undefined) return found;
      if (budget.stepsLeft < 0) return this.#maybe(counts)[0];
    }
    return undefined;
  }

  /** All overlaps with owners that `counts` accepts, in the order in which they were added. */
  overlaps(
    paths: PathSet,
    counts: (owner: Owner) => boolean,
    shared?: Budget,
  ): readonly OwnerOverlap<Owner>[] {
    return this.#ask(shared, (rules) => this.#overlaps(paths, counts, rules));
  }

  #overlaps(
    paths: PathSet,
    counts: (owner: Owner) => boolean,
    rules: Rules,
  ): readonly OwnerOverlap<Owner>[] {
    const all: OwnerOverlap<Owner>[] = [];
    const candidates = this.#candidates(paths.under(this.#rules).include, rules.budget);
    if (candidates === undefined) return this.#maybe(counts);
    for (const addition of candidates) {
      const found = counts(addition.owner) ? compare(paths, addition, rules) : undefined;
      if (found !== undefined) all.push(found);
    }
    return all;
  }

  /** Asks one question, which takes no more of a shared budget than there is, but for a little. */
  #ask<Answer>(shared: Budget | undefined, question: (rules: Rules) => Answer): Answer {
    const left = shared?.stepsLeft ?? QUESTION_STEPS;
    const least = left > -OVERDRAFT_STEPS ? LEAST_STEPS : 0;
    const lent = Math.max(least, Math.min(left, QUESTION_STEPS));
    const budget = { stepsLeft: lent };
    // Examples are looked for when they are read, after the question.
    const answer = question({ ...this.#rules, budget, ...(shared && { examples: shared }) });
    if (shared !== undefined) shared.stepsLeft -= lent - budget.stepsLeft;
    return answer;
  }

  /** Everybody who has any paths. */
  #maybe(counts: (owner: Owner) => boolean): readonly OwnerOverlap<Owner>[] {
    const all: (OwnerOverlap<Owner> & { readonly number: number })[] = [];
    for (const [owner, additions] of this.#additions)
      for (const { number, entries } of additions)
        if (entries.length > 0 && counts(owner))
          all.push({ owner, number, overlap: { kind: 'may-overlap' } });
    return all
      .toSorted((a, b) => a.number - b.number)
      .map(({ owner, overlap: maybe }) => ({ owner, overlap: maybe }));
  }

  /**
   * Whose patterns meet some of these, each once, in the order in which they were added; undefined
   * where the budget ends before all were looked at.
   */
  #candidates(
    patterns: readonly Pattern[],
    budget: Budget | undefined,
  ): readonly Addition<Owner>[] | undefined {
    const met: Addition<Owner>[] = [];
    const collect = (addition: Addition<Owner>): boolean => {
      met.push(addition);
      return false;
    };
    for (const pattern of patterns) if (this.#tree.meet(pattern, collect, budget)) return undefined;
    if (isAscending(met)) return met;
    met.sort((a, b) => a.number - b.number);
    return met.filter((addition, at) => addition !== met[at - 1]);
  }
}

type Rules = PathRules & { readonly budget: Budget; readonly examples?: Budget };

/** One call of `add`. */
interface Addition<Owner> {
  readonly number: number;
  readonly owner: Owner;
  readonly paths: PathSet;
  readonly exclude: readonly Pattern[];
  readonly entries: Entry<Addition<Owner>>[];
}

function compare<Owner>(
  paths: PathSet,
  { owner, paths: others }: Addition<Owner>,
  rules: Rules,
): OwnerOverlap<Owner> | undefined {
  const found = overlap(paths, others, rules);
  return found.kind === 'disjoint' ? undefined : { owner, overlap: found };
}

/** They often are: those of one node are met in order. */
function isAscending<Owner>(additions: readonly Addition<Owner>[]): boolean {
  for (let at = 1; at < additions.length; at += 1)
    if (additions[at - 1]!.number >= additions[at]!.number) return false;
  return true;
}
