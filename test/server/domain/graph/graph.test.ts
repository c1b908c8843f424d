import { expect, test } from 'vitest';
import { findCycles } from '../../../../server/domain/graph/cycles.ts';
import {
  buildGraph,
  closureOf,
  longestPaths,
  nodesAt,
  type Edges,
  type GraphNode,
  type TaskGraph,
} from '../../../../server/domain/graph/graph.ts';
import type { TaskId } from '../../../../server/domain/ids.ts';
import { Reachability } from '../../../../server/domain/graph/reachability.ts';
import { taskId } from '../../../support/snapshots.ts';

/** A chain as long as the largest board, `t0` first. */
const LONG = 100_000;
/** Far more than any of these needs, far less than anything quadratic takes. */
const SECONDS = { timeout: 5000 };

/** One task for each line: `a: needs b c, after d`. */
function graphOf(text: string): TaskGraph {
  return buildGraph(text.split('\n').map(nodeOf));
}

function nodeOf(line: string): GraphNode {
  const [id = '', rest = ''] = line.split(': ');
  const listed = (word: string): TaskId[] =>
    rest
      .split(', ')
      .filter((clause) => clause.startsWith(`${word} `))
      .flatMap((clause) => clause.split(' ').slice(1).map(taskId));
  return { id: taskId(id), dependsOn: listed('needs'), after: listed('after') };
}

function longIds(): readonly TaskId[] {
  return Array.from({ length: LONG }, (_, index) => taskId(`t${index}`));
}

/** Each task waits for those that `before` gives for its index. */
function longGraph(before: (index: number) => readonly number[]): TaskGraph {
  const ids = longIds();
  return buildGraph(
    ids.map((id, index) => ({
      id,
      dependsOn: before(index).map((other) => ids[other]!),
      after: [],
    })),
  );
}

/** The ids at the other ends of a task's edges; those that need not complete stand in brackets. */
function edgesText(graph: TaskGraph, edges: Edges, id: string): string {
  const number = graph.numberOf.get(taskId(id)) ?? 0;
  const first = edges.offsets[number] ?? 0;
  return Array.from(nodesAt(edges, number), (node, index) =>
    edges.mustComplete[first + index] === 1 ? graph.ids[node] : `(${graph.ids[node]})`,
  ).join(' ');
}

function checkPredecessors(name: string, text: string, expected: string): void {
  test(name, () => {
    const graph = graphOf(text);
    expect(edgesText(graph, graph.predecessors, 'a')).toBe(expected);
  });
}

checkPredecessors(
  'a task waits for what it needs and what it comes after, as it lists them',
  'a: needs d b, after c\nb\nc\nd',
  'd b (c)',
);
checkPredecessors('ids that nobody has are left out', 'a: needs b nobody, after nothing\nb', 'b');
checkPredecessors(
  'an id that is written twice counts once',
  'a: needs b b, after c c\nb\nc',
  'b (c)',
);
checkPredecessors('what a task needs and comes after must complete', 'a: after b, needs b\nb', 'b');
checkPredecessors('a task may wait for itself', 'a: needs a', 'a');
checkPredecessors('a task without edges waits for nobody', 'b: needs a\na\nc: needs a', '');

function checkSuccessors(name: string, text: string, expected: string): void {
  test(name, () => {
    const graph = graphOf(text);
    expect(edgesText(graph, graph.successors, 'a')).toBe(expected);
  });
}

checkSuccessors(
  'those that wait for a task stand in the order of the tasks',
  'd: after a\na\nc: needs b a\nb: after a, needs a',
  '(d) c b',
);
checkSuccessors('a task that is listed twice has one successor', 'b: needs a a\na', 'b');
checkSuccessors('a task may wait behind itself', 'a: after a', '(a)');

test('edges to tasks that do not exist are told once each', () => {
  expect(graphOf('a: needs x b x, after y x\nb: after x').missing).toStrictEqual([
    { task: 'a', waitsFor: 'x' },
    { task: 'a', waitsFor: 'y' },
    { task: 'b', waitsFor: 'x' },
  ]);
});

test('a task is numbered by its place', () => {
  expect([...graphOf('b\na').numberOf]).toStrictEqual([
    ['b', 0],
    ['a', 1],
  ]);
});

test('where two tasks have one id, it means the last of them', () => {
  const graph = graphOf('a: needs b\na\nb: needs a');
  expect(edgesText(graph, graph.predecessors, 'a')).toBe('');
  expect(findCycles(graph)).toStrictEqual([]);
});

test('a graph may be empty', () => {
  const graph = buildGraph([]);
  expect(findCycles(graph)).toStrictEqual([]);
  expect(longestPaths(graph, [])).toStrictEqual(new Float64Array());
});

function checkClosure(name: string, text: string, expected: string): void {
  test(name, () => {
    const graph = graphOf(text);
    const start = graph.numberOf.get(taskId('a')) ?? 0;
    const [before, behind] = (['predecessors', 'successors'] as const).map((direction) =>
      Array.from(closureOf(graph, start, direction), (node) => graph.ids[node]).join(' '),
    );
    expect(`${before} < a < ${behind}`).toBe(expected);
  });
}

checkClosure('a task alone reaches nobody', 'a\nb', ' < a < ');
checkClosure(
  'a closure has everybody on the way, the nearest first',
  'x: needs a\ny: after x\na: needs b, after c\nb: needs d\nc: needs d\nd',
  'b c d < a < x y',
);
checkClosure('a task before a cycle is not in its own closure', 'a\nb: needs a b', ' < a < b');
checkClosure('a task on a cycle is in its own closure', 'a: needs b\nb: needs a', 'b a < a < b a');

function checkOrdered(name: string, text: string, expected: string): void {
  test(name, () => {
    const graph = graphOf(text);
    const order = new Reachability(graph);
    const a = graph.numberOf.get(taskId('a'))!;
    const found = graph.ids.filter((_, number) => order.isOrdered(a, number));
    expect(found.toSorted((x, y) => (x < y ? -1 : 1)).join(' ')).toBe(expected);
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
checkOrdered('a cycle orders its tasks', 'a: needs b\nb: needs a', 'b');
checkOrdered(
  'what is before a cycle is ordered with all of it',
  'a\nb: needs a c\nc: needs d\nd: needs b',
  'b c d',
);

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

function checkPaths(name: string, text: string, expected: string): void {
  test(name, () => {
    const graph = graphOf(text);
    // The first task weighs 1, the second 10, the third 100, and so on.
    const longest = longestPaths(
      graph,
      graph.ids.map((_, number) => 10 ** number),
    );
    expect(longest.join(' ')).toBe(expected);
  });
}

checkPaths('a chain weighs as much as all that waits', 'a: needs b\nb: after c\nc', '1 11 111');
checkPaths(
  'the heavier side of a diamond counts',
  'a: needs b c\nb: needs d\nc: needs d\nd',
  '1 11 101 1101',
);
checkPaths(
  'a heavy task outweighs a long chain',
  'a\nb: needs a\nc: needs b\nd: needs a',
  '1001 110 100 1000',
);
checkPaths(
  'on a cycle and before one a task has its own weight, behind one it has a chain',
  'a\nb: needs a b\nc: needs b\nd: needs c',
  '1 10 1100 1000',
);

test('weights that do not fit the graph are a bug', () => {
  expect(() => longestPaths(graphOf('a\nb'), [1])).toThrow('Every task of a graph has a weight.');
});

test('the longest chain of a full board is found', SECONDS, () => {
  const graph = longGraph((index) => (index === 0 ? [] : [index - 1]));
  expect(longestPaths(graph, new Uint8Array(LONG).fill(1))[0]).toBe(LONG);
  expect(findCycles(graph)).toStrictEqual([]);
  const order = new Reachability(graph);
  expect(order.isOrdered(0, LONG - 1) && order.isOrdered(LONG - 2, 1)).toBe(true);
  expect(closureOf(graph, 0, 'successors')).toHaveLength(LONG - 1);
});

test('a full board behind one cycle has one cycle', SECONDS, () => {
  const graph = longGraph((index) => [Math.max(0, index - 1)]);
  expect(findCycles(graph)).toStrictEqual([['t0']]);
});

test('a full board before one cycle has one cycle', SECONDS, () => {
  const graph = longGraph((index) => (index === 0 ? [0, LONG - 1] : [index - 1].filter(Boolean)));
  expect(findCycles(graph)).toStrictEqual([['t0']]);
});

test('a full board may be one cycle', SECONDS, () => {
  const graph = longGraph((index) => [(index + 1) % LONG]);
  expect(findCycles(graph)).toStrictEqual([longIds()]);
});

test('a full board of small cycles has them all', SECONDS, () => {
  // Of two neighbours each waits for the other, and both for all that is before them.
  const graph = longGraph((index) => [index ^ 1, Math.max(0, index - 2)]);
  expect(findCycles(graph)).toHaveLength(LONG / 2 + 1);
});

test(
  'a line that puts a full board on cycles is found soon, and so are other cycles',
  SECONDS,
  () => {
    // All wait for t0, which waits for t1, which waits for all. Of the last four, which are not
    // among these, two that wait for each other are before them, and two behind them.
    const knot = LONG - 4;
    const graph = longGraph((index) => {
      if (index >= knot) return index < knot + 2 ? [index ^ 1] : [index ^ 1, 0];
      if (index === 1) return Array.from({ length: knot - 1 }, (_, other) => other + 2);
      return [index === 0 ? 1 : 0];
    });
    const cycles = findCycles(graph);
    expect(cycles.slice(0, 2)).toStrictEqual([
      ['t0', 't1', 't2'],
      ['t3', 't0', 't1'],
    ]);
    expect(cycles.slice(-2)).toStrictEqual([
      [`t${knot}`, `t${knot + 1}`],
      [`t${knot + 2}`, `t${knot + 3}`],
    ]);
    expect(cycles.length).toBeLessThan(knot - 2);
  },
);

test('a ladder of diamonds is as quick as a chain of its length', SECONDS, () => {
  // Each rung of two waits for both of the rung before it: 2 ** 50 000 ways from end to end.
  const graph = longGraph((index) => (index < 2 ? [] : [(index & ~1) - 2, (index & ~1) - 1]));
  expect(longestPaths(graph, new Uint8Array(LONG).fill(1))[0]).toBe(LONG / 2);
  expect(closureOf(graph, LONG - 1, 'predecessors')).toHaveLength(LONG - 2);
  expect(findCycles(graph)).toStrictEqual([]);
});

test('a full board with three edges for each task is built', SECONDS, () => {
  const graph = longGraph((index) =>
    [1, 7, 1000].map((distance) => index - distance).filter((other) => other >= 0),
  );
  const edges = 3 * LONG - 1 - 7 - 1000;
  expect(graph.predecessors.nodes).toHaveLength(edges);
  expect(graph.successors.nodes).toHaveLength(edges);
  expect(graph.missing).toStrictEqual([]);
  expect(edgesText(graph, graph.predecessors, 't5000')).toBe('t4999 t4993 t4000');
  expect(edgesText(graph, graph.successors, 't5000')).toBe('t5001 t5007 t6000');
});
