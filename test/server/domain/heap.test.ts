import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Heap, SLOTTED } from '../../../server/domain/heap.ts';

interface Item {
  readonly rank: number;
  readonly id: number;
  slot: number;
}

function isBefore(a: Item, b: Item): boolean {
  return a.rank !== b.rank ? a.rank < b.rank : a.id < b.id;
}

/** Some keys are equal, so that both parts of the order count. */
const ORDER = { keyOf: ({ rank }: Item) => Math.floor(rank / 3), isBefore };

function sorted(items: readonly Item[]): readonly Item[] {
  return items.toSorted((a, b) => a.rank - b.rank || a.id - b.id);
}

function heapOf(ranks: readonly number[]): { heap: Heap<Item>; items: readonly Item[] } {
  const heap = new Heap<Item>(ORDER, SLOTTED);
  const items = ranks.map((rank, id) => ({ rank, id, slot: -1 }));
  for (const item of items) heap.push(item);
  return { heap, items };
}

function popAll(heap: Heap<Item>): readonly Item[] {
  const popped: Item[] = [];
  for (let item = heap.pop(); item !== undefined; item = heap.pop()) popped.push(item);
  return popped;
}

/** Every item knows a place of its own, and nobody else does. */
function checkSlots(heap: Heap<Item>, inside: readonly Item[]): void {
  expect(heap.size).toBe(inside.length);
  expect(inside.every((item) => heap.has(item))).toBe(true);
  expect(inside.map(({ slot }) => slot).toSorted((a, b) => a - b)).toStrictEqual([
    ...inside.keys(),
  ]);
}

function checkOutside(heap: Heap<Item>, outside: readonly Item[]): void {
  expect(outside.some((item) => heap.has(item) || item.slot !== -1)).toBe(false);
}

const ranks = fc.array(fc.nat(20), { maxLength: 60, size: 'max' });

test('items come out in order', () => {
  fc.assert(
    fc.property(ranks, (numbers) => {
      const { heap, items } = heapOf(numbers);
      expect(heap.peek()).toBe(sorted(items)[0]);
      expect(popAll(heap)).toStrictEqual(sorted(items));
      expect(heap.size).toBe(0);
      expect(items.every(({ slot }) => slot === -1)).toBe(true);
    }),
  );
});

/** A number takes out the item at that place of those inside, or pushes an item of that rank. */
const steps = fc.array(
  fc.record({ isRemoval: fc.constantFrom(true, false, false), number: fc.nat(20) }),
  { maxLength: 100, size: 'max' },
);

test('any item can be taken out, at any time', () => {
  fc.assert(
    fc.property(steps, (made) => {
      const heap = new Heap<Item>(ORDER, SLOTTED);
      const pushed: Item[] = [];
      let inside: readonly Item[] = [];
      for (const [id, { isRemoval, number }] of made.entries()) {
        if (isRemoval && inside.length > 0) {
          const gone = inside[number % inside.length]!;
          heap.remove(gone);
          inside = inside.filter((item) => item !== gone);
        } else {
          const item = { rank: number, id, slot: -1 };
          heap.push(item);
          pushed.push(item);
          inside = [...inside, item];
        }
        checkSlots(heap, inside);
        checkOutside(
          heap,
          pushed.filter((item) => !inside.includes(item)),
        );
        expect(heap.peek()).toBe(sorted(inside)[0]);
      }
      expect(popAll(heap)).toStrictEqual(sorted(inside));
    }),
  );
});

test('looking through the items in order leaves them where they are', () => {
  fc.assert(
    fc.property(ranks, fc.nat(60), (numbers, count) => {
      const { heap, items } = heapOf(numbers);
      const slots = items.map(({ slot }) => slot);
      expect([...heap.inOrder()]).toStrictEqual(sorted(items));
      const cursor = heap.cursor();
      const first = items.slice(0, count).map(() => cursor.next());
      expect(first).toStrictEqual(sorted(items).slice(0, count));
      expect(items.map(({ slot }) => slot)).toStrictEqual(slots);
      expect(popAll(heap)).toStrictEqual(sorted(items));
    }),
  );
});

test('a cursor answers nothing behind the last item, however often it is asked', () => {
  const { heap, items } = heapOf([2, 1]);
  const cursor = heap.cursor();
  const answers = [cursor.next(), cursor.next(), cursor.next(), cursor.next()];
  expect(answers).toStrictEqual([items[1], items[0], undefined, undefined]);
  const empty = new Heap<Item>(ORDER, SLOTTED).cursor();
  expect([empty.next(), empty.next()]).toStrictEqual([undefined, undefined]);
});

test('an item that came out can go in again', () => {
  const { heap, items } = heapOf([1, 2]);
  const first = heap.pop()!;
  heap.push(first);
  expect(popAll(heap)).toStrictEqual(items);
});

test('an empty heap has no first item', () => {
  const heap = new Heap<Item>(ORDER, SLOTTED);
  expect([heap.peek(), heap.pop(), heap.size]).toStrictEqual([undefined, undefined, 0]);
});

test('an item is in one heap at a time', () => {
  const { heap, items } = heapOf([1]);
  const other = new Heap<Item>(ORDER, SLOTTED);
  expect(() => other.push(items[0]!)).toThrow('an item is in one heap at a time');
  expect(() => heap.push(items[0]!)).toThrow('an item is in one heap at a time');
});

test('only what is in the heap is taken out', () => {
  const { heap } = heapOf([1, 2]);
  const [outside, elsewhere] = [{ rank: 1, id: 7, slot: -1 }, heapOf([5]).items[0]!];
  expect(heap.has(outside) || heap.has(elsewhere)).toBe(false);
  expect(() => heap.remove(outside)).toThrow('only what is in the heap');
  expect(() => heap.remove(elsewhere)).toThrow('only what is in the heap');
  expect(heap.size).toBe(2);
});
