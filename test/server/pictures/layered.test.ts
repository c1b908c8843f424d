import { expect, test } from 'vitest';
import { layersOf } from '../../../server/pictures/layout/layers.ts';
import { crossingsOf, crossOrder } from '../../../server/pictures/layout/order.ts';
import { type Layout, layOut } from '../../../server/pictures/layout/layered.ts';

type Edge = readonly [number, number];

const SIZE = { width: 100, height: 40 };

function laidOut(count: number, edges: readonly Edge[]): Layout {
  return layOut({ sizes: Array.from({ length: count }, () => SIZE), edges });
}

/** The same for every run: a small generator of its own. */
function randomEdges(count: number, each: number): readonly Edge[] {
  let seed = 7;
  const next = (limit: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % limit;
  };
  return Array.from({ length: count }, (_, node) => node).flatMap((node) =>
    node === 0
      ? []
      : Array.from({ length: each }, (): Edge => [Math.max(0, node - 1 - next(60)), node]),
  );
}

function layersIn(count: number, edges: readonly Edge[]): string {
  return laidOut(count, edges)
    .nodes.map(({ layer }) => layer)
    .join(' ');
}

test('each node stands behind all that come before it', () => {
  expect(
    layersIn(4, [
      [0, 1],
      [1, 2],
      [0, 2],
      [3, 2],
    ]),
  ).toBe('0 1 2 1');
});

test('a cycle, and what waits for itself, have a place like all others', () => {
  expect(
    layersIn(3, [
      [0, 1],
      [1, 2],
      [2, 0],
    ]),
  ).toBe('0 1 2');
  expect(layersIn(1, [[0, 0]])).toBe('0');
  const [, , back] = laidOut(3, [
    [0, 1],
    [1, 2],
    [2, 0],
  ]).edges;
  // From the left of the last node to the right of the first one.
  expect([back!.at(0), back!.at(-2)]).toEqual([16 + 2 * 164, 16 + 100]);
});

test('two that would cross are put in another order', () => {
  const graph = layersOf({
    sizes: Array.from({ length: 4 }, () => SIZE),
    edges: [
      [0, 3],
      [1, 2],
    ],
  });
  expect(
    crossingsOf(graph, [
      [0, 1],
      [2, 3],
    ]),
  ).toBe(1);
  expect(crossingsOf(graph, crossOrder(graph))).toBe(0);
});

test('a chain is a straight line', () => {
  const { nodes } = laidOut(5, [
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 4],
  ]);
  expect(new Set(nodes.map(({ y }) => y)).size).toBe(1);
});

test('no two nodes overlap, and no edge goes through a node that is not its own', () => {
  const edges = randomEdges(120, 2);
  const { nodes, edges: lines } = laidOut(120, edges);
  const close = nodes.flatMap((a, one) =>
    nodes.filter(
      (b, other) => one < other && a.layer === b.layer && Math.abs(a.y - b.y) < SIZE.height + 15,
    ),
  );
  expect(close).toEqual([]);
  const strange = lines.flatMap((points, number) =>
    nodes.filter(
      ({ x, y }, node) => !edges[number]!.includes(node) && goesThrough(points, { x, y }),
    ),
  );
  expect(strange).toEqual([]);
});

function goesThrough(points: readonly number[], { x, y }: { x: number; y: number }): boolean {
  return points.some(
    (left, at) =>
      at % 2 === 0 && left === x && points[at + 1]! > y && points[at + 1]! < y + SIZE.height,
  );
}

test('equal inputs give equal layouts', () => {
  const edges = randomEdges(200, 2);
  expect(laidOut(200, edges)).toEqual(laidOut(200, edges));
});

test('nothing, and one node, are pictures too', () => {
  expect(laidOut(0, [])).toEqual({ width: 32, height: 16, nodes: [], edges: [] });
  expect(laidOut(1, []).nodes).toEqual([{ x: 16, y: 16, layer: 0 }]);
});

test('300 nodes take well under a second, and 1 000 few', () => {
  // Far more than it takes, for machines that have other things to do.
  for (const [count, limitMs] of [
    [300, 1000],
    [1000, 5000],
  ] as const) {
    const started = performance.now();
    laidOut(count, randomEdges(count, 2));
    expect(performance.now() - started).toBeLessThan(limitMs);
  }
});

test('where everything waits for everything before it, most edges are drawn straight', () => {
  const count = 200;
  const edges = Array.from({ length: count }, (_, to) =>
    Array.from({ length: to }, (__, from): Edge => [from, to]),
  ).flat();
  const graph = layersOf({ sizes: Array.from({ length: count }, () => SIZE), edges });
  // With a place for each of them in each column there would be more than a million.
  expect(graph.layerOf.length).toBeLessThan(count + 20_001);
  const { edges: drawn } = laidOut(count, edges);
  expect(drawn.map((points) => points.length).filter((length) => length < 4)).toEqual([]);
});

for (const [name, [count, edges]] of Object.entries<[number, readonly Edge[]]>({
  nothing: [0, []],
  'one node': [1, []],
  'the same edge twice': [
    2,
    [
      [0, 1],
      [0, 1],
    ],
  ],
  'two that wait for each other': [
    2,
    [
      [0, 1],
      [1, 0],
    ],
  ],
  'a node that waits for itself and others': [
    3,
    [
      [1, 1],
      [0, 1],
      [1, 2],
    ],
  ],
  'a chain of 10 000': [10_000, Array.from({ length: 9999 }, (_, at): Edge => [at, at + 1])],
}))
  test(`${name} is laid out with numbers, and nothing on top of each other`, () => {
    const { nodes, width, height, edges: drawn } = laidOut(count, edges);
    const all = [width, height, ...nodes.flatMap(({ x, y }) => [x, y]), ...drawn.flat()];
    expect(all.every(Number.isFinite)).toBe(true);
    expect(new Set(nodes.map(({ x, y }) => `${x} ${y}`)).size).toBe(count);
    expect(drawn).toHaveLength(edges.length);
  });
