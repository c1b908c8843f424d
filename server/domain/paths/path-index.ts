import { assert } from '../assert.ts';
import { type Budget, type Overlap, overlap, type PathRules } from './overlap.ts';
import { type Outline, outlinesFit, outlinesOf, type PathSet } from './path-set.ts';

export interface OwnerOverlap<Owner> {
  readonly owner: Owner;
  readonly overlap: Exclude<Overlap, { readonly kind: 'disjoint' }>;
}

/** What the exact comparisons of one question may take together; past it the answer is "maybe". */
const QUESTION_STEPS = 1_000_000;

/**
 * Who has paths that overlap given ones, without comparing all with all. Two patterns can only
 * overlap when the literal names that one starts with also start the other. So each pattern stands
 * in a tree of names, where its literal names end; what overlaps it is above it or below it.
 *
 * Invariant: every node but the root has an entry, in itself or below.
 */
export class PathIndex<Owner> {
  readonly #rules: PathRules;
  readonly #root: Node<Owner> = createNode('', undefined);
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
    const addition: Addition<Owner> = { number: this.#nextNumber, owner, paths, entries: [] };
    for (const outline of outlinesOf(paths, this.#rules.foldCase)) {
      const node = this.#nodeAt(outline.names);
      const entry = { outline, addition, node };
      node.entries.add(entry);
      addition.entries.push(entry);
    }
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
    for (const entry of addition.entries) {
      entry.node.entries.delete(entry);
      removeIfEmpty(entry.node);
    }
    this.#size -= 1;
  }

  /**
   * An overlap with an owner that `counts` accepts, the first that is come across. There is one
   * exactly where `overlaps` finds any for the same owners, even past the budget.
   */
  anyOverlap(paths: PathSet, counts: (owner: Owner) => boolean): OwnerOverlap<Owner> | undefined {
    const budget = { stepsLeft: QUESTION_STEPS };
    // Each is compared once, for all of its outlines and ours; most questions never need a second look.
    let compared: Set<Addition<Owner>> | undefined;
    let found: OwnerOverlap<Owner> | undefined;
    for (const outline of outlinesOf(paths, this.#rules.foldCase)) {
      this.#meet(outline, (addition) => {
        if (compared?.has(addition) === true || !counts(addition.owner)) return false;
        found = this.#compare(paths, addition, budget);
        if (found === undefined) (compared ??= new Set()).add(addition);
        return found !== undefined;
      });
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** All overlaps with owners that `counts` accepts, in the order in which they were added. */
  overlaps(paths: PathSet, counts: (owner: Owner) => boolean): readonly OwnerOverlap<Owner>[] {
    const budget = { stepsLeft: QUESTION_STEPS };
    const all: OwnerOverlap<Owner>[] = [];
    for (const addition of this.#candidates(paths)) {
      const found = counts(addition.owner) ? this.#compare(paths, addition, budget) : undefined;
      if (found !== undefined) all.push(found);
    }
    return all;
  }

  #compare(
    paths: PathSet,
    addition: Addition<Owner>,
    budget: Budget,
  ): OwnerOverlap<Owner> | undefined {
    const found = overlap(paths, addition.paths, { foldCase: this.#rules.foldCase, budget });
    return found.kind === 'disjoint' ? undefined : { owner: addition.owner, overlap: found };
  }

  #nodeAt(names: readonly string[]): Node<Owner> {
    let node = this.#root;
    for (const name of names) {
      let next = node.children.get(name);
      if (next === undefined) {
        next = createNode(name, node);
        node.children.set(name, next);
      }
      node = next;
    }
    return node;
  }

  /** Whose outlines fit, each once, in the order in which they were added. */
  #candidates(paths: PathSet): readonly Addition<Owner>[] {
    const met: Addition<Owner>[] = [];
    const collect = (addition: Addition<Owner>): boolean => {
      met.push(addition);
      return false;
    };
    for (const outline of outlinesOf(paths, this.#rules.foldCase)) this.#meet(outline, collect);
    if (isAscending(met)) return met;
    met.sort((a, b) => a.number - b.number);
    return met.filter((addition, at) => addition !== met[at - 1]);
  }

  /** Calls back for each addition whose outline fits, until the answer is that this is enough. */
  #meet(outline: Outline, isEnough: Met<Owner>): void {
    let node = this.#root;
    if (meetAt(node, outline, isEnough)) return;
    for (const name of outline.names) {
      const next = node.children.get(name);
      if (next === undefined) return;
      node = next;
      if (meetAt(node, outline, isEnough)) return;
    }
    if (outline.rest === 'nothing') return;
    const begun = outline.front[outline.names.length]?.prefix ?? '';
    for (const child of node.children.values())
      if (child.name.startsWith(begun) && meetBelow(child, outline, isEnough)) return;
  }
}

/** One call of `add`. */
interface Addition<Owner> {
  readonly number: number;
  readonly owner: Owner;
  readonly paths: PathSet;
  readonly entries: Entry<Owner>[];
}

/** One alternative of the patterns of an addition. */
interface Entry<Owner> {
  readonly outline: Outline;
  readonly addition: Addition<Owner>;
  readonly node: Node<Owner>;
}

interface Node<Owner> {
  readonly name: string;
  readonly parent: Node<Owner> | undefined;
  readonly children: Map<string, Node<Owner>>;
  readonly entries: Set<Entry<Owner>>;
}

function createNode<Owner>(name: string, parent: Node<Owner> | undefined): Node<Owner> {
  return { name, parent, children: new Map(), entries: new Set() };
}

function removeIfEmpty<Owner>(node: Node<Owner>): void {
  let { name, parent, children, entries } = node;
  while (parent !== undefined && children.size === 0 && entries.size === 0) {
    parent.children.delete(name);
    ({ name, parent, children, entries } = parent);
  }
}

/** They often are: those of one node are met in order. */
function isAscending<Owner>(additions: readonly Addition<Owner>[]): boolean {
  for (let at = 1; at < additions.length; at += 1)
    if (additions[at - 1]!.number >= additions[at]!.number) return false;
  return true;
}

type Met<Owner> = (addition: Addition<Owner>) => boolean;

function meetAt<Owner>(node: Node<Owner>, outline: Outline, isEnough: Met<Owner>): boolean {
  for (const entry of node.entries)
    if (outlinesFit(entry.outline, outline) && isEnough(entry.addition)) return true;
  return false;
}

function meetBelow<Owner>(top: Node<Owner>, outline: Outline, isEnough: Met<Owner>): boolean {
  const below = [top];
  for (const node of below) {
    if (meetAt(node, outline, isEnough)) return true;
    for (const child of node.children.values()) below.push(child);
  }
  return false;
}
