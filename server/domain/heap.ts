import { assert } from './assert.ts';

/** Where an item stands in its heap; -1 outside. Only the heap writes it. */
export interface Slotted {
  slot: number;
}

/** Keeps the slots of items. */
export interface Slots<T> {
  slotOf(item: T): number;
  setSlot(item: T, slot: number): void;
}

/** For items that keep their slots themselves. */
export const SLOTTED: Slots<Slotted> = {
  slotOf: ({ slot }) => slot,
  setSlot: (item, slot) => {
    item.slot = slot;
  },
};

/** For items that are numbers, each of them an index of the array. */
export function slotsIn(array: Int32Array): Slots<number> {
  array.fill(-1);
  return {
    slotOf: (item) => array[item]!,
    setSlot: (item, slot) => {
      array[item] = slot;
    },
  };
}

/** Answers the items of a heap one after the other, and `undefined` behind the last. */
export interface Cursor<T> {
  next(): T | undefined;
}

/**
 * What comes first: the item with the lowest key. Where keys are equal, `isBefore` decides; items
 * between which it does not decide either come in any order.
 */
interface HeapOrder<T> {
  /** Asked when an item goes in; it stays so while the item is inside. */
  keyOf(item: T): number;
  isBefore(a: T, b: T): boolean;
}

/**
 * A binary heap: the first item is at hand, and any item can be taken out because its slot is known.
 * Keys stand in an array of their own, because most comparisons end there, without a look at the
 * items.
 *
 * Invariant: `slotOf(items[slot]) === slot`, and no item is before the one at `(slot - 1) >> 1`.
 */
export class Heap<T> {
  readonly #order: HeapOrder<T>;
  readonly #slots: Slots<T>;
  readonly #items: T[] = [];
  readonly #keys: number[] = [];

  constructor(order: HeapOrder<T>, slots: Slots<T>) {
    this.#order = order;
    this.#slots = slots;
  }

  get size(): number {
    return this.#items.length;
  }

  has(item: T): boolean {
    const slot = this.#slots.slotOf(item);
    return slot >= 0 && this.#items[slot] === item;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    assert(this.#slots.slotOf(item) === -1, 'an item is in one heap at a time');
    const key = this.#order.keyOf(item);
    this.#keys.push(key);
    this.#rise(item, key, this.#items.push(item) - 1);
  }

  pop(): T | undefined {
    const first = this.#items[0];
    if (first !== undefined) this.remove(first);
    return first;
  }

  remove(item: T): void {
    const items = this.#items;
    const slot = this.#slots.slotOf(item);
    assert(slot >= 0 && items[slot] === item, 'only what is in the heap is taken out');
    const last = items.pop()!;
    const key = this.#keys.pop()!;
    this.#slots.setSlot(item, -1);
    if (last === item) return;
    if (slot > 0 && this.#isBefore(last, key, (slot - 1) >> 1)) this.#rise(last, key, slot);
    else this.#sink(last, key, slot);
  }

  /** The heap must not change until the cursor is done with. */
  cursor(): Cursor<T> {
    return new HeapCursor(this.#items, this.#keys, this.#order);
  }

  /** All items in order. The heap must not change meanwhile; the k-th costs O(log k). */
  *inOrder(): Generator<T, void> {
    const cursor = this.cursor();
    for (let item = cursor.next(); item !== undefined; item = cursor.next()) yield item;
  }

  #isBefore(item: T, key: number, slot: number): boolean {
    const other = this.#keys[slot]!;
    return key === other ? this.#order.isBefore(item, this.#items[slot]!) : key < other;
  }

  /** Both ways the others move into the hole, and `item` is written once, where the hole ends up. */
  #rise(item: T, key: number, from: number): void {
    let hole = from;
    while (hole > 0) {
      const up = (hole - 1) >> 1;
      if (!this.#isBefore(item, key, up)) break;
      this.#put(this.#items[up]!, this.#keys[up]!, hole);
      hole = up;
    }
    this.#put(item, key, hole);
  }

  #sink(item: T, key: number, from: number): void {
    const { length } = this.#items;
    let hole = from;
    for (let down = 2 * hole + 1; down < length; down = 2 * hole + 1) {
      const right = down + 1;
      if (right < length && this.#isBefore(this.#items[right]!, this.#keys[right]!, down))
        down = right;
      if (this.#isBefore(item, key, down)) break;
      this.#put(this.#items[down]!, this.#keys[down]!, hole);
      hole = down;
    }
    this.#put(item, key, hole);
  }

  #put(item: T, key: number, slot: number): void {
    this.#items[slot] = item;
    this.#keys[slot] = key;
    this.#slots.setSlot(item, slot);
  }
}

/**
 * Whoever comes next is a child of one that came before. Those children wait in a heap of their own,
 * of slots; it is not made before the second item is asked for.
 */
class HeapCursor<T> implements Cursor<T> {
  readonly #items: readonly T[];
  readonly #keys: readonly number[];
  readonly #order: HeapOrder<T>;
  #waiting: number[] | undefined;
  /** The slot that was answered last; its children do not wait yet. */
  #last = -1;

  constructor(items: readonly T[], keys: readonly number[], order: HeapOrder<T>) {
    this.#items = items;
    this.#keys = keys;
    this.#order = order;
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

  #isBefore(slot: number, other: number): boolean {
    const [key, otherKey] = [this.#keys[slot]!, this.#keys[other]!];
    if (key !== otherKey) return key < otherKey;
    return this.#order.isBefore(this.#items[slot]!, this.#items[other]!);
  }

  #add(waiting: number[], slot: number): void {
    let hole = waiting.push(slot) - 1;
    while (hole > 0) {
      const up = (hole - 1) >> 1;
      if (!this.#isBefore(slot, waiting[up]!)) break;
      waiting[hole] = waiting[up]!;
      hole = up;
    }
    waiting[hole] = slot;
  }

  #takeFirst(waiting: number[]): number | undefined {
    const first = waiting[0];
    const moved = waiting.pop();
    if (moved === undefined || waiting.length === 0) return first;
    let hole = 0;
    for (let down = 1; down < waiting.length; down = 2 * hole + 1) {
      const right = down + 1;
      if (right < waiting.length && this.#isBefore(waiting[right]!, waiting[down]!)) down = right;
      if (!this.#isBefore(waiting[down]!, moved)) break;
      waiting[hole] = waiting[down]!;
      hole = down;
    }
    waiting[hole] = moved;
    return first;
  }
}
