import { assert } from '../assert.ts';
import type { TaskId } from '../ids.ts';

export interface GraphNode<Id extends string = TaskId> {
  readonly id: Id;
  readonly dependsOn: readonly Id[];
  readonly after: readonly Id[];
}

/**
 * The order that `depends_on` and `after` ask for. A task is a number inside, its place in `ids`,
 * and edges are flat arrays, so that a board of 100 000 tasks costs a few megabytes.
 */
export interface TaskGraph<Id extends string = TaskId> {
  readonly ids: readonly Id[];
  readonly numberOf: ReadonlyMap<Id, number>;
  /** To the tasks that must finish before a task, in the order in which it lists them. */
  readonly predecessors: Edges;
  /** To the tasks that wait for a task, in the order of `ids`. */
  readonly successors: Edges;
  /** Edges to tasks that do not exist; they are left out of the graph. */
  readonly missing: readonly { readonly task: Id; readonly waitsFor: Id }[];
}

/** Edges of all nodes in one array: those of node n are nodes[offsets[n]] … nodes[offsets[n+1]-1]. */
export interface Edges {
  readonly offsets: Int32Array;
  readonly nodes: Int32Array;
  /**
   * For each edge 1 where the later task needs the earlier one completed (`depends_on`), 0 where it
   * needs it merely finished (`after`).
   */
  readonly mustComplete: Uint8Array;
}

/**
 * What a task lists twice is one edge, and needs completion when either mention does. Ids are
 * unique; where they are not, an id means the last task that has it.
 */
export function buildGraph<Id extends string = TaskId>(
  nodes: readonly GraphNode<Id>[],
): TaskGraph<Id> {
  const ids = nodes.map(({ id }) => id);
  const numberOf = new Map(ids.map((id, number) => [id, number]));
  const missing: TaskGraph<Id>['missing'][number][] = [];
  const mentions = nodes.reduce((sum, node) => sum + node.dependsOn.length + node.after.length, 0);
  const offsets = new Int32Array(nodes.length + 1);
  const earlier = new Int32Array(mentions);
  const mustComplete = new Uint8Array(mentions);
  let count = 0;
  for (const [number, { id, dependsOn, after }] of nodes.entries()) {
    const needed = new Set(dependsOn);
    for (const waitsFor of new Set([...dependsOn, ...after])) {
      const known = numberOf.get(waitsFor);
      if (known === undefined) {
        missing.push({ task: id, waitsFor });
        continue;
      }
      earlier[count] = known;
      mustComplete[count] = needed.has(waitsFor) ? 1 : 0;
      count += 1;
    }
    offsets[number + 1] = count;
  }
  const predecessors = {
    offsets,
    nodes: earlier.slice(0, count),
    mustComplete: mustComplete.slice(0, count),
  };
  return { ids, numberOf, predecessors, successors: turnAround(predecessors), missing };
}

function turnAround({ offsets, nodes, mustComplete }: Edges): Edges {
  const turned = {
    offsets: new Int32Array(offsets.length),
    nodes: new Int32Array(nodes.length),
    mustComplete: new Uint8Array(nodes.length),
  };
  for (const node of nodes) turned.offsets[node + 1]! += 1;
  for (let node = 1; node < offsets.length; node += 1)
    turned.offsets[node]! += turned.offsets[node - 1]!;
  const free = turned.offsets.slice();
  for (let node = 0; node + 1 < offsets.length; node += 1)
    for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge += 1) {
      const from = nodes[edge]!;
      const place = free[from]!;
      free[from] = place + 1;
      turned.nodes[place] = node;
      turned.mustComplete[place] = mustComplete[edge]!;
    }
  return turned;
}

/** The nodes at the other ends of the edges of one. A view; what runs often walks `offsets` itself. */
export function nodesAt({ offsets, nodes }: Edges, node: number): Int32Array {
  return nodes.subarray(offsets[node], offsets[node + 1]);
}

/** The nodes that `start` reaches, the nearest first; `start` itself only when it is on a cycle. */
export function closureOf(
  graph: TaskGraph,
  start: number,
  direction: 'predecessors' | 'successors',
): number[] {
  return walk(start, { edges: graph[direction], marks: new Int32Array(graph.ids.length), mark: 1 });
}

interface Walk {
  readonly edges: Edges;
  /** For each node. A node whose mark is as high as `mark`, or higher, is not entered. */
  readonly marks: Int32Array;
  readonly mark: number;
}

/** Marks what `start` reaches, and returns it, the nearest first. */
export function walk(start: number, { edges, marks, mark }: Walk): number[] {
  const { offsets, nodes } = edges;
  const reached: number[] = [];
  for (let at: number | undefined = start, head = 0; at !== undefined; at = reached[head++])
    for (let edge = offsets[at]!; edge < offsets[at + 1]!; edge += 1) {
      const next = nodes[edge]!;
      if (marks[next]! >= mark) continue;
      marks[next] = mark;
      reached.push(next);
    }
  return reached;
}

/**
 * For each node the weight of the longest chain of waiting tasks that starts at it, its own weight
 * included. A chain into a cycle has no end, so a node on a cycle or before one has its own weight.
 */
export function longestPaths(graph: TaskGraph, weights: ArrayLike<number>): Float64Array {
  assert(weights.length === graph.ids.length, 'Every task of a graph has a weight.');
  const { offsets, nodes } = graph.successors;
  const longest = new Float64Array(weights);
  for (const node of sortBehind({ before: graph.successors, behind: graph.predecessors })) {
    let behind = 0;
    for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge += 1)
      behind = Math.max(behind, longest[nodes[edge]!]!);
    longest[node]! += behind;
  }
  return longest;
}

interface BothWays {
  readonly before: Edges;
  /** `before` turned around. */
  readonly behind: Edges;
}

/**
 * Each node behind all that `before` leads to, by Kahn's algorithm. Those that it leads into a cycle
 * are not in the result.
 */
function sortBehind({ before, behind }: BothWays): Int32Array {
  const length = before.offsets.length - 1;
  const left = new Int32Array(length);
  const order = new Int32Array(length);
  let count = 0;
  for (let node = 0; node < length; node += 1) {
    left[node] = before.offsets[node + 1]! - before.offsets[node]!;
    if (left[node] === 0) order[count++] = node;
  }
  for (let head = 0; head < count; head += 1) {
    const node = order[head]!;
    for (let edge = behind.offsets[node]!; edge < behind.offsets[node + 1]!; edge += 1) {
      const next = behind.nodes[edge]!;
      left[next]! -= 1;
      if (left[next] === 0) order[count++] = next;
    }
  }
  return order.subarray(0, count);
}
