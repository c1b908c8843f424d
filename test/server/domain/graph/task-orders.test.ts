import { expect, test } from 'vitest';
import { buildGraph, type TaskGraph } from '../../../../server/domain/graph/graph.ts';
import { isOrdered, TaskOrders } from '../../../../server/domain/graph/task-orders.ts';

/** `a b<a c<b`: each task, and what it waits for. */
function graphOf(text: string): TaskGraph<string> {
  return buildGraph(
    text.split(' ').map((word) => {
      const [id = '', before] = word.split('<');
      return { id, dependsOn: before === undefined ? [] : [before], after: [] };
    }),
  );
}

function ordered(orders: TaskOrders<string>, a: string, b: string): boolean {
  return isOrdered(orders.stepOf(a), orders.stepOf(b));
}

test('tasks of one graph are ordered, those of two are not', () => {
  const orders = new TaskOrders<string>();
  orders.update([graphOf('a b<a c<b'), graphOf('x y<x')]);
  const pairs = ['a c', 'c a', 'x y', 'a x', 'c y', 'a nobody', 'nobody nobody'];
  const found = pairs.filter((pair) => {
    const [one = '', other = ''] = pair.split(' ');
    return ordered(orders, one, other);
  });
  expect(found).toStrictEqual(['a c', 'c a', 'x y']);
});

test('graphs that say the same are no news', () => {
  const orders = new TaskOrders<string>();
  const updates = [
    ['a b<a', 'x'],
    ['a b<a', 'x'],
    ['a b', 'x'],
    ['a b', 'x y<x'],
    ['a b'],
    ['a b', 'x'],
    ['x', 'a b'],
  ].map((texts) => orders.update(texts.map(graphOf)));
  expect(updates).toStrictEqual([false, true, false, false, false, false, false]);
  expect(ordered(orders, 'a', 'b')).toBe(false);
});
