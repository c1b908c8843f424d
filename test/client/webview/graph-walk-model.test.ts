import { expect, test } from 'vitest';
import {
  findNodes,
  firstLook,
  fitted,
  following,
  scaledAt,
  stepFrom,
} from '../../../client/webview/graph-walk-model.ts';
import type { Graph, GraphEdge, GraphNode } from '../../../protocol/graph.ts';

function node(id: string, layer: number, y: number): GraphNode {
  return {
    id,
    kind: 'task',
    title: `Title of ${id}`,
    x: layer * 200,
    y,
    width: 100,
    height: 40,
    layer,
  };
}

function edge(from: string, to: string, kind: GraphEdge['kind'] = 'depends_on'): GraphEdge {
  return { kind, from, to, isOnCycle: false, detail: '', points: [] };
}

/** `a` before `b` and `c`, both before `d`; `c` and `e` may collide. */
const GRAPH: Graph = {
  folderUri: 'file:///p',
  plan: 'interlock.yaml',
  width: 500,
  height: 200,
  nodes: [
    node('a', 0, 100),
    node('b', 1, 20),
    node('c', 1, 110),
    node('d', 2, 60),
    node('e', 1, 160),
  ],
  edges: [
    edge('a', 'b'),
    edge('a', 'c'),
    edge('b', 'd'),
    edge('c', 'd', 'after'),
    edge('c', 'e', 'collides'),
  ],
  hiddenCount: 0,
  hiddenHazardCount: 0,
};

test('arrow keys go along the lines, to the nearest, and up and down in a column', () => {
  expect(stepFrom(GRAPH, undefined, 'right')).toBe('a');
  expect(stepFrom(GRAPH, 'a', 'right')).toBe('c');
  expect(stepFrom(GRAPH, 'c', 'right')).toBe('d');
  expect(stepFrom(GRAPH, 'd', 'left')).toBe('b');
  expect(stepFrom(GRAPH, 'c', 'up')).toBe('b');
  expect(stepFrom(GRAPH, 'c', 'down')).toBe('e');
  expect(stepFrom(GRAPH, 'e', 'right')).toBeUndefined();
  expect(stepFrom(GRAPH, 'a', 'left')).toBeUndefined();
});

test('of two that are as near the one in the next column is gone to', () => {
  const nodes = [node('a', 0, 50), node('far', 2, 50), node('near', 1, 50)];
  const edges = [edge('a', 'far'), edge('a', 'near')];
  expect(stepFrom({ ...GRAPH, nodes, edges }, 'a', 'right')).toBe('near');
});

test('tasks are found by their ids and titles, in the order of the picture', () => {
  expect(findNodes(GRAPH, ' title OF ')).toEqual(['a', 'b', 'c', 'e', 'd']);
  expect(findNodes(GRAPH, 'd')).toEqual(['d']);
  expect(findNodes(GRAPH, '')).toEqual([]);
});

test('a picture fits its page, and is never larger than it is drawn', () => {
  expect(fitted({ width: 1000, height: 500 }, { width: 500, height: 500 })).toEqual({
    scale: 0.5,
    x: 0,
    y: 125,
  });
  expect(fitted({ width: 100, height: 100 }, { width: 500, height: 300 })).toEqual({
    scale: 1,
    x: 200,
    y: 100,
  });
});

test('of a picture that could not be read the beginning is seen first', () => {
  const page = { width: 500, height: 300 };
  expect(firstLook({ width: 700, height: 100 }, page)).toEqual(
    fitted({ width: 700, height: 100 }, page),
  );
  expect(firstLook({ width: 9000, height: 100 }, page)).toEqual({ scale: 0.5, x: 0, y: 125 });
  expect(firstLook({ width: 9000, height: 900 }, page)).toEqual({ scale: 0.5, x: 0, y: 0 });
});

test('what is under the pointer stays there', () => {
  expect(scaledAt({ x: 0, y: 0, scale: 1 }, { factor: 2, x: 50, y: 10 })).toEqual({
    scale: 2,
    x: -50,
    y: -10,
  });
  expect(scaledAt({ x: 0, y: 0, scale: 4 }, { factor: 2, x: 50, y: 10 }).scale).toBe(4);
});

test('the chosen task comes into sight, large enough to be read', () => {
  const page = { width: 300, height: 200 };
  const camera = following({ x: 0, y: 0, scale: 0.1 }, GRAPH.nodes[3]!, page);
  const left = camera.x + GRAPH.nodes[3]!.x * camera.scale;
  expect([camera.scale, left >= 0, left + 50 <= page.width]).toEqual([0.5, true, true]);
  const still = { x: 0, y: 0, scale: 1 };
  expect(following(still, node('x', 5, 60), { width: 900, height: 900 })).toEqual({
    ...still,
    x: 900 - 24 - 100 - 1000,
  });
  expect(following(still, node('x', 0, 60), { width: 900, height: 900 })).toEqual({
    ...still,
    x: 24,
  });
});
