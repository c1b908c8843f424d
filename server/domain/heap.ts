import { assert } from './assert.ts';

/** Where an item stands in its heap; -1 outside. Only the heap writes it. */
export interface Slotted {
  slot: number;
}

/** Answers the items of a heap one after the other, and `undefined` behind the last. */
export interface Cursor<T> {
  next(): T | undefined;
}

/**
 * A binary heap: the first item is at hand, and any item can be taken out because it knows its
 * place. Items between which `isBefore` does not decide come in any order.
 *
 * Invariant: `items[slot].slot === slot`, and no item is before the one at `(slot - 1) >> 1`.
 */
export class Heap<T extends Slotted> {
  readonly #isBefore: (a: T, b: T) => boolean;
  readonly #items: T[] = [];

  constructor(isBefore: (a: T, b: T) => boolean) {
    this.#isBefore = isBefore;
  }

  get size(): number {
    return this.#items.length;
  }

  has(item: T): boolean {
    return item.slot >= 0 && this.#items[item.slot] === item;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    assert(item.slot === -1, 'an item is in one heap at a time');
    this.#rise(item, this.#items.push(item) - 1);
  }

  pop(): T | undefined {
    const first = this.#items[0];
    if (first !== undefined) this.remove(first);
    return first;
  }

  remove(item: T): void {
    const items = this.#items;
    const { slot } = item;
    assert(slot >= 0 && items[slot] === item, 'only what is in the heap is taken out');
    const last = items.pop()!;
    item.slot = -1;
    if (last === item) return;
    if (slot > 0 && this.#isBefore(last, items[(slot - 1) >> 1]!)) this.#rise(last, slot);
    else this.#sink(last, slot);
  }

  /** The heap must not change until the cursor is done with. */
  cursor(): Cursor<T> {
    return new HeapCursor(this.#items, this.#isBefore);
  }

  /** All items in order. The heap must not change meanwhile; the k-th costs O(log k). */
  *inOrder(): Generator<T, void> {
    const cursor = this.cursor();
    for (let item = cursor.next(); item !== undefined; item = cursor.next()) yield item;
  }

  /** Both ways the others move into the hole, and `item` is written once, where the hole ends up. */
  #rise(item: T, from: number): void {
    const items = this.#items;
    let hole = from;
    while (hole > 0) {
      const up = (hole - 1) >> 1;
      const parent = items[up]!;
      if (!this.#isBefore(item, parent)) break;
      items[hole] = parent;
      parent.slot = hole;
      hole = up;
    }
    items[hole] = item;
    item.slot = hole;
  }

  #sink(item: T, from: number): void {
    const items = this.#items;
    const { length } = items;
    let hole = from;
    for (let down = 2 * hole + 1; down < length; down = 2 * hole + 1) {
      let child = items[down]!;
      if (down + 1 < length && this.#isBefore(items[down + 1]!, child)) {
        down += 1;
        child = items[down]!;
      }
      if (!this.#isBefore(child, item)) break;
      items[hole] = child;
      child.slot = hole;
      hole = down;
    }
    items[hole] = item;
    item.slot = hole;
  }
}

/**
 * Whoever comes next is a child of one that came before. Those children wait in a heap of their own,
 * of slots; it is not made before the second item is asked for.
 */
class HeapCursor<T> implements Cursor<T> {
  readonly #items: readonly T[];
  readonly #isBefore: (a: T, b: T) => boolean;
  #waiting: number[] | undefined;
  /** The slot that was answered last; its children do not wait yet. */
  #last = -1;

  constructor(items: readonly T[], isBefore: (a: T, b: T) => boolean) {
    this.#items = items;
    this.#isBefore = isBefore;
  }

  next(): T | undefined {
    if (this.#last < 0) {
      this.#last = 0;
      return this.#items[0];
    }
    this.#waiting ??= [];
    const left = 2 * this.#last + 1;
    if (left < this.#items.length) this.#add(this.#waiting, left);
    if (left + 1 < this.#items.length) this.#add(this.#waiting, left + 1);
    const slot = this.#takeFirst(this.#waiting);
    if (slot === undefined) return undefined;
    this.#last = slot;
    return this.#items[slot];
  }

  #add(waiting: number[], slot: number): void {
    const items = this.#items;
    const item = items[slot]!;
    let hole = waiting.push(slot) - 1;
    while (hole > 0) {
      const up = (hole - 1) >> 1;
      if (!this.#isBefore(item, items[waiting[up]!]!)) break;
      waiting[hole] = waiting[up]!;
      hole = up;
    }
    waiting[hole] = slot;
  }

  #takeFirst(waiting: number[]): number | undefined {
    const items = this.#items;
    const first = waiting[0];
    const moved = waiting.pop();
    if (moved === undefined || waiting.length === 0) return first;
    const item = items[moved]!;
    let hole = 0;
    for (let down = 1; down < waiting.length; down = 2 * hole + 1) {
      if (
        down + 1 < waiting.length &&
        this.#isBefore(items[waiting[down + 1]!]!, items[waiting[down]!]!)
      )
        down += 1;
      if (!this.#isBefore(items[waiting[down]!]!, item)) break;
      waiting[hole] = waiting[down]!;
      hole = down;
    }
    waiting[hole] = moved;
    return first;
  }
}
