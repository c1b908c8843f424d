import { assert } from '../assert.ts';
import { type Name, namesMeet, type WildName } from './name.ts';
import { type Pattern, patternsMeet } from './pattern.ts';
import { GAP, rowOf, sequenceOf } from './sequence.ts';
import { WildNames } from './wild-names.ts';

/** One pattern in a tree, and what it was put there for. */
export interface Entry<T> {
  readonly pattern: Pattern;
  readonly value: T;
  readonly node: Node<T>;
}

/**
 * Patterns by their names, so that all that meet one are found without a look at the others. Each
 * node stands for the start that some patterns share; a `**` is a node too, below which any names
 * may come first.
 *
 * Invariant: every node but the root has an entry, in itself or below.
 */
export class PathTree<T> {
  readonly #root: Node<T> = new Node<T>(undefined, '', false);

  add(pattern: Pattern, value: T): Entry<T> {
    let node = this.#root;
    for (const [at, chunk] of pattern.chunks.entries()) {
      if (at > 0) node = node.deep ??= new Node<T>(node, '', true);
      for (const name of chunk) node = node.childFor(name);
    }
    const entry = { pattern, value, node };
    (node.entries ??= new Set()).add(entry);
    return entry;
  }

  remove(entry: Entry<T>): void {
    entry.node.entries?.delete(entry);
    entry.node.removeIfEmpty();
  }

  /** Calls back for each pattern that meets this one, exactly, until the answer is that this is enough. */
  meet(pattern: Pattern, isEnough: (value: T) => boolean): boolean {
    return new Walk(askedOf(pattern), (entry: Entry<T>) => isEnough(entry.value)).from(
      this.#root,
      1,
    );
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
  entries: Set<Entry<T>> | undefined;

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
      this.deep === undefined && isNone(this.plain) && isNone(this.wild) && isNone(this.entries)
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

  constructor(asked: Asked, isEnough: (entry: Entry<T>) => boolean) {
    this.#asked = asked;
    this.#isEnough = isEnough;
  }

  /** `places`: where the asked pattern may stand when the names of this node were read. */
  from(node: Node<T>, places: number): boolean {
    const { gaps, wild, end } = this.#asked;
    let here = places | ((places & gaps) << 1);
    // In a `**` any names may pass, so it may stand at all that follows.
    if (node.isDeep) here = (end | (end - 1)) & ~((here & -here) - 1);
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
      if (whole !== undefined && !patternsMeet(whole, entry.pattern)) continue;
      if (this.#isEnough(entry)) return true;
    }
    return false;
  }

  #anyPlain(children: ReadonlyMap<string, Node<T>>, open: number): boolean {
    for (const [name, node] of children) {
      const next = placesAfter(name, open, this.#asked);
      if (next !== 0 && this.from(node, next)) return true;
    }
    return false;
  }

  #anyWild(children: WildNames<WildChild<T>>, open: number): boolean {
    for (const { name, node } of children.all) {
      const next = placesAfter(name, open, this.#asked);
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
      if (children.matching(this.#nameAt(left), (child) => this.#first(child, open, left)))
        return true;
    }
    return false;
  }

  /** A child that was found by a name at an earlier place too was looked at there. */
  #first(
    { name, node }: { readonly name: Name; readonly node: Node<T> },
    open: number,
    rest: number,
  ): boolean {
    const next = placesAfter(name, open, this.#asked);
    const earlier = ((rest & -rest) << 1) - 1;
    return (next & earlier) === 0 && this.from(node, next);
  }

  /** At the first of some places; a plain one. */
  #nameAt(places: number): string {
    const name = this.#asked.row[31 - Math.clz32(places & -places)];
    assert(typeof name === 'string', 'names with wildcards are looked for one by one');
    return name;
  }
}

/** Where the asked pattern may stand after one more name. */
function placesAfter(name: Name, open: number, { row, gaps }: Asked): number {
  let next = open & gaps;
  for (let rest = open & ~gaps; rest !== 0; rest &= rest - 1) {
    const at = 31 - Math.clz32(rest & -rest);
    if (namesMeet(row[at]!, name)) next |= 2 << at;
  }
  return next;
}
