import { expect, test } from 'vitest';
import {
  buildGraph,
  findCycles,
  longestChains,
  type TaskGraph,
} from '../../../server/domain/graph.ts';
import type { TaskId } from '../../../server/domain/ids.ts';
import { orderIn } from '../../../server/domain/order.ts';
import { definitionOf, snapshotOf, taskId } from '../../support/snapshots.ts';

/** A chain as long as the largest board, `t0` first. */
const LONG = 100_000;
/** Far more than any of these needs, far less than anything quadratic takes. */
const SECONDS = { timeout: 5000 };

function graphOf(text: string): TaskGraph {
  const [run] = snapshotOf(text).runs;
  return buildGraph(run?.plan.manifest.tasks ?? []);
}

function longIds(): readonly TaskId[] {
  return Array.from({ length: LONG }, (_, index) => taskId(`t${index}`));
}

/** Each task waits for those that `before` gives for its index. */
function longGraph(before: (index: number) => readonly number[]): TaskGraph {
  return buildGraph(
    longIds().map((id, index) =>
      definitionOf(id, { dependsOn: before(index).map((other) => taskId(`t${other}`)) }),
    ),
  );
}

function checkPredecessors(name: string, text: string, expected: string): void {
  test(name, () => {
    expect(graphOf(text).predecessors.get(taskId('a'))?.join(' ')).toBe(expected);
  });
}

checkPredecessors(
  'a task waits for what it needs and what it comes after',
  'a: needs b, after c\nb\nc',
  'b c',
);
checkPredecessors('ids that nobody has are left out', 'a: needs b nobody, after nothing\nb', 'b');
checkPredecessors('an id that is written twice counts once', 'a: needs b b, after b\nb', 'b');
checkPredecessors('a task may wait for itself', 'a: needs a', 'a');

test('a task that is written twice as a dependency has one successor', () => {
  expect(graphOf('a: needs b b\nb').successors.get(taskId('b'))).toStrictEqual(['a']);
});

function checkOrdered(name: string, text: string, expected: string): void {
  test(name, () => {
    const graph = graphOf(text);
    const ordered = orderIn(graph)(taskId('a'));
    const found = graph.ids.filter((id) => ordered.has(id)).toSorted((x, y) => (x < y ? -1 : 1));
    expect(found.join(' ')).toBe(expected);
  });
}

checkOrdered('tasks without edges have no order', 'a\nb', '');
checkOrdered('an edge is an order', 'a: needs b\nb', 'b');
checkOrdered('an order counts from both ends', 'a\nb: needs a', 'b');
checkOrdered('"after" is an order too', 'a: after b\nb', 'b');
checkOrdered('an order passes through others', 'a: needs b\nb: after c\nc', 'b c');
checkOrdered('two tasks behind one have no order', 'a: needs c\nb: needs c\nc', 'c');
checkOrdered(
  'all of a diamond is ordered with its end',
  'a: needs b c\nb: needs d\nc: needs d\nd',
  'b c d',
);
checkOrdered(
  'the sides of a diamond are not ordered',
  'a: needs d\nb: needs d\nc: needs a b\nd',
  'c d',
);
checkOrdered('a cycle orders its tasks', 'a: needs b\nb: needs a', 'a b');

function checkCycles(name: string, text: string, expected: string): void {
  test(name, () => {
    const cycles = findCycles(graphOf(text)).map((cycle) => cycle.join(' → '));
    expect(cycles.join('; ')).toBe(expected);
  });
}

checkCycles('a chain has no cycle', 'a: needs b\nb: needs c\nc', '');
checkCycles('a diamond has no cycle', 'a: needs b c\nb: needs d\nc: needs d\nd', '');
checkCycles('a task that waits for itself is a cycle', 'a: needs a', 'a');
checkCycles(
  'a cycle starts at its first task and follows who waits for whom',
  'a: needs b\nb: needs c\nc: after a',
  'a → b → c',
);
checkCycles(
  'the shortest cycle is named',
  'a: needs b d\nb: needs c\nc: needs a\nd: needs a',
  'a → d; b → c → a',
);
checkCycles(
  'tasks behind and before a cycle are not part of it',
  'behind: needs a\na: needs b before\nb: needs a\nbefore',
  'a → b',
);
checkCycles(
  'cycles that share nothing are all named',
  'a: needs b\nb: needs a\nc: needs c',
  'a → b; c',
);
checkCycles(
  'a task between two cycles is on none',
  'a: needs a\nbetween: needs a\nb: needs b between',
  'a; b',
);

function checkChains(name: string, text: string, expected: string): void {
  test(name, () => {
    const chains = [...longestChains(graphOf(text))].map(([id, length]) => `${id} ${length}`);
    expect(chains.toSorted().join(', ')).toBe(expected);
  });
}

checkChains('a task that nobody waits for is a chain of one', 'a\nb', 'a 1, b 1');
checkChains('a chain counts everybody who waits', 'a: needs b\nb: after c\nc', 'a 1, b 2, c 3');
checkChains(
  'the longer side of a diamond counts',
  'a: needs b d\nb: needs c\nc: needs d\nd',
  'a 1, b 2, c 3, d 4',
);
checkChains('tasks on a cycle and behind one have no chain', 'a: needs a\nb: needs a\nc', 'c 1');

test('the longest chain of a full board is found', SECONDS, () => {
  const graph = longGraph((index) => (index === 0 ? [] : [index - 1]));
  expect(longestChains(graph).get(taskId('t0'))).toBe(LONG);
  expect(findCycles(graph)).toStrictEqual([]);
  expect(orderIn(graph)(taskId('t0')).count).toBe(LONG - 1);
});

test('a full board behind one cycle has one cycle', SECONDS, () => {
  const graph = longGraph((index) => [Math.max(0, index - 1)]);
  expect(findCycles(graph)).toStrictEqual([['t0']]);
});

test('a full board may be one cycle', SECONDS, () => {
  const graph = longGraph((index) => [(index + 1) % LONG]);
  expect(findCycles(graph)).toStrictEqual([longIds()]);
});
