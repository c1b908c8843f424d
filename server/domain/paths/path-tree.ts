import { assert } from '../assert.ts';
import { type Name, namesMeet, type WildName } from './name.ts';
import { type Pattern, patternsMeet } from './pattern.ts';
import type { Budget } from './row-walk.ts';
import { GAP, rowOf, sequenceOf } from './sequence.ts';
import { WildNames } from './wild-names.ts';

/** One pattern in a tree, and what it was put there for. */
export interface Entry<T> {
  readonly pattern: Pattern;
  readonly value: T;
  readonly node: Node<T>;
  /** Where its starts stand that name a folder with an extension. */
  readonly folders?: readonly Entry<T>[] | undefined;
}

/**
 * Patterns by their names, so that all that meet one are found without a look at the others. Each
 * node stands for the start that some patterns share; a `**` is a node too, below which any names
 * may come first. One at the end is none: most patterns have it, and whatever gets that far is theirs.
 *
 * Invariant: every node but the root has an entry, in itself or below.
 */
export class PathTree<T> {
  readonly #root: Node<T> = new Node<T>(undefined, '', false);
  /** Starts of patterns that name a folder with an extension; hardly any pattern has one. */
  #folders: Node<T> | undefined;

  add(pattern: Pattern, value: T): Entry<T> {
    const folders = pattern.folders?.map((start) => {
      this.#folders ??= new Node<T>(undefined, '', false);
      return this.#addAt(this.#folders, { pattern: { ...start, minLength: 1 }, value });
    });
    return this.#addAt(this.#root, { pattern, value, folders });
  }

  #addAt(root: Node<T>, { pattern, value, folders }: Omit<Entry<T>, 'node'>): Entry<T> {
    const { chunks } = pattern;
    const coversBelow = chunks.length > 1 && chunks.at(-1)!.length === 0;
    let node = root;
    for (const [at, chunk] of (coversBelow ? chunks.slice(0, -1) : chunks).entries()) {
      if (at > 0) node = node.deep ??= new Node<T>(node, '', true);
      for (const name of chunk) node = node.childFor(name);
    }
    const entry = { pattern, value, node, folders };
    if (coversBelow) (node.below ??= new Set()).add(entry);
    else (node.entries ??= new Set()).add(entry);
    return entry;
  }

  remove(entry: Entry<T>): void {
    entry.node.entries?.delete(entry);
    entry.node.below?.delete(entry);
    entry.node.removeIfEmpty();
    for (const folder of entry.folders ?? []) this.remove(folder);
  }

  /**
   * Calls back for each pattern that meets this one, until the answer is that this is enough. Where the
   * budget ends first the answer is yes, too: whoever was not looked at may meet it.
   */
  meet(pattern: Pattern, isEnough: (value: T) => boolean, budget?: Budget): boolean {
    const isFound = (entry: Entry<T>): boolean => isEnough(entry.value);
    if (new Walk(askedOf(pattern), isFound, budget).from(this.#root, 1)) return true;
    if (pattern.file !== undefined && this.#folders !== undefined)
      if (new Walk(askedOf(pattern), isFound, budget).from(this.#folders, 1)) return true;
    const isFile = (entry: Entry<T>): boolean => entry.pattern.file !== undefined && isFound(entry);
    for (const start of pattern.folders ?? []) {
      const asked = askedOf({ ...start, minLength: 1 });
      if (new Walk(asked, isFile, budget).from(this.#root, 1)) return true;
    }
    return false;
  }
}

class Node<T> {
  readonly #parent: Node<T> | undefined;
  readonly #name: Name;
  /** Whether it stands for a `**`. */
  readonly isDeep: boolean;
  plain: Map<string, Node<T>> | undefined;
  wild: WildNames<WildChild<T>> | undefined;
  deep: Node<T> | undefined;
  /** Patterns that end here. */
  entries: Set<Entry<T>> | undefined;
  /** Those that cover this path and all below it. */
  below: Set<Entry<T>> | undefined;

  constructor(parent: Node<T> | undefined, name: Name, isDeep: boolean) {
    this.#parent = parent;
    this.#name = name;
    this.isDeep = isDeep;
  }

  childFor(name: Name): Node<T> {
    const known = typeof name === 'string' ? this.plain?.get(name) : this.wild?.get(name)?.node;
    if (known !== undefined) return known;
    const node = new Node<T>(this, name, false);
    if (typeof name === 'string') (this.plain ??= new Map()).set(name, node);
    else (this.wild ??= new WildNames()).add({ name, node });
    return node;
  }

  removeIfEmpty(): void {
    const parent = this.#parent;
    if (parent === undefined || !this.#isEmpty) return;
    if (this.isDeep) parent.deep = undefined;
    else if (typeof this.#name === 'string') parent.plain?.delete(this.#name);
    else parent.wild?.remove(this.#name);
    parent.removeIfEmpty();
  }

  get #isEmpty(): boolean {
    return (
      this.deep === undefined &&
      isNone(this.plain) &&
      isNone(this.wild) &&
      isNone(this.entries) &&
      isNone(this.below)
    );
  }
}

interface WildChild<T> {
  readonly name: WildName;
  readonly node: Node<T>;
}

function isNone(things: { readonly size: number } | undefined): boolean {
  return things === undefined || things.size === 0;
}

/**
 * A pattern that is looked for. Where it may stand is a number with one bit for each place in it: a
 * gap of it is left at once, so its bit brings the one behind it.
 */
interface Asked {
  readonly row: readonly (Name | undefined)[];
  /** The bits of gaps, and of names with wildcards. */
  readonly gaps: number;
  readonly wild: number;
  readonly end: number;
  /** A long one is looked for by its start, and compared as a whole afterwards. */
  readonly whole: Pattern | undefined;
}

const LONGEST = 28;

function askedOf(pattern: Pattern): Asked {
  const all = rowOf<Name>(pattern);
  const isLong = all.length > LONGEST;
  const row = isLong ? rowOf(sequenceOf([...all.slice(0, LONGEST), GAP])) : all;
  let [gaps, wild] = [0, 0];
  for (const [at, name] of row.entries()) {
    if (name === GAP) gaps |= 1 << at;
    else if (typeof name !== 'string') wild |= 1 << at;
  }
  return { row, gaps, wild, end: 1 << row.length, whole: isLong ? pattern : undefined };
}

class Walk<T> {
  readonly #asked: Asked;
  readonly #isEnough: (entry: Entry<T>) => boolean;
  readonly #budget: Budget | undefined;

  constructor(asked: Asked, isEnough: (entry: Entry<T>) => boolean, budget: Budget | undefined) {
    this.#asked = asked;
    this.#isEnough = isEnough;
    this.#budget = budget;
  }

  /** `places`: where the asked pattern may stand when the names of this node were read. */
  from(node: Node<T>, places: number): boolean {
    if (this.#budget !== undefined) {
      this.#budget.stepsLeft -= 1;
      if (this.#budget.stepsLeft < 0) return true;
    }
    const { gaps, wild, end } = this.#asked;
    let here = places | ((places & gaps) << 1);
    // In a `**` any names may pass, so it may stand at all that follows.
    if (node.isDeep) here = (end | (end - 1)) & ~((here & -here) - 1);
    if (node.below !== undefined && this.#met(node.below)) return true;
    if (node.entries !== undefined && (here & end) !== 0 && this.#met(node.entries)) return true;
    if (node.deep !== undefined && this.from(node.deep, here)) return true;
    const open = here & ~end;
    if (open === 0) return false;
    const isGiven = (open & (gaps | wild)) === 0;
    if (node.wild !== undefined)
      if (isGiven ? this.#givenWild(node.wild, open) : this.#anyWild(node.wild, open)) return true;
    if (node.plain === undefined) return false;
    return isGiven ? this.#givenPlain(node.plain, open) : this.#anyPlain(node.plain, open);
  }

  #met(entries: Iterable<Entry<T>>): boolean {
    const { whole } = this.#asked;
    for (const entry of entries) {
      if (this.#budget !== undefined) this.#budget.stepsLeft -= 1;
      if (whole !== undefined && !patternsMeet(whole, entry.pattern, this.#budget)) continue;
      if (this.#isEnough(entry)) return true;
    }
    return false;
  }

  #anyPlain(children: ReadonlyMap<string, Node<T>>, open: number): boolean {
    for (const [name, node] of children) {
      const next = this.#placesAfter(name, open);
      if (next !== 0 && this.from(node, next)) return true;
    }
    return false;
  }

  #anyWild(children: WildNames<WildChild<T>>, open: number): boolean {
    for (const { name, node } of children.all) {
      const next = this.#placesAfter(name, open);
      if (next !== 0 && this.from(node, next)) return true;
    }
    return false;
  }

  /** Only plain names are asked for: each child is found by its name. */
  #givenPlain(children: ReadonlyMap<string, Node<T>>, open: number): boolean {
    for (let rest = open; rest !== 0; rest &= rest - 1) {
      const name = this.#nameAt(rest);
      const node = children.get(name);
      if (node !== undefined && this.#first({ name, node }, open, rest)) return true;
    }
    return false;
  }

  #givenWild(children: WildNames<WildChild<T>>, open: number): boolean {
    for (let rest = open; rest !== 0; rest &= rest - 1) {
      const left = rest;
      const isFirst = (child: WildChild<T>): boolean => this.#first(child, open, left);
      if (children.matching(this.#nameAt(left), isFirst, this.#budget)) return true;
    }
    return false;
  }

  /** A child that was found by a name at an earlier place too was looked at there. */
  #first(
    { name, node }: { readonly name: Name; readonly node: Node<T> },
    open: number,
    rest: number,
  ): boolean {
    const next = this.#placesAfter(name, open);
    const earlier = ((rest & -rest) << 1) - 1;
    return (next & earlier) === 0 && this.from(node, next);
  }

  /** At the first of some places; a plain one. */
  #nameAt(places: number): string {
    const name = this.#asked.row[31 - Math.clz32(places & -places)];
    assert(typeof name === 'string', 'names with wildcards are looked for one by one');
    return name;
  }

  /** Where the asked pattern may stand after one more name. */
  #placesAfter(name: Name, open: number): number {
    const { row, gaps } = this.#asked;
    let next = open & gaps;
    for (let rest = open & ~gaps; rest !== 0; rest &= rest - 1) {
      const at = 31 - Math.clz32(rest & -rest);
      if (namesMeet(row[at]!, name, this.#budget)) next |= 2 << at;
    }
    return next;
  }
}
