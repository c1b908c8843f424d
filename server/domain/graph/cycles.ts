import { walk, type Edges, type TaskGraph } from './graph.ts';
import type { TaskId } from '../ids.ts';

/**
 * Edges looked at for all cycles together. One wrong line can put a whole board on one
 * cycle or another, and a search through all of it for each of its tasks would take minutes.
 */
const STEP_LIMIT = 5_000_000;

/**
 * The shortest cycle through each task that is on one, each cycle once, starting at its first id:
 * the first that no cycle before it goes through.
 *
 * Invariant: every task that is on a cycle reaches one of these and is reached from it. Past the
 * limit only a component that has none yet gets one.
 */
export function findCycles(graph: TaskGraph): readonly (readonly TaskId[])[] {
  const size = graph.ids.length;
  const search: Search = {
    components: componentsOf(graph),
    metFrom: new Int32Array(size).fill(-1),
    cameFrom: new Int32Array(size),
    queue: new Int32Array(size),
    stepsLeft: STEP_LIMIT,
  };
  const isCovered = new Uint8Array(size);
  const isSearched = new Uint8Array(size + 1);
  const cycles: TaskId[][] = [];
  for (let start = 0; start < size; start += 1) {
    const component = search.components[start]!;
    if (isCovered[start] === 1 || (isSearched[component] === 1 && search.stepsLeft <= 0)) continue;
    isSearched[component] = 1;
    const cycle = shortestCycleThrough(start, graph.predecessors, search);
    for (const member of cycle) isCovered[member] = 1;
    if (cycle.length > 0) cycles.push(cycle.map((member) => graph.ids[member]!));
  }
  return cycles;
}

/**
 * The number of each node's strongly connected component: two nodes share it exactly when each
 * reaches the other. By Kosaraju's algorithm: of the nodes not yet numbered, those that lead to the
 * one which a walk in depth left last are also reached from it.
 *
 * Invariant: what a node leads to has the same number or a lower one.
 */
export function componentsOf({
  ids,
  predecessors,
  successors,
}: Pick<TaskGraph<string>, 'ids' | 'predecessors' | 'successors'>): Int32Array {
  const components = new Int32Array(ids.length);
  // Numbers fall, because a walk does not enter what has a higher one.
  let mark = ids.length;
  for (const node of leavingOrder(successors).toReversed()) {
    if (components[node] !== 0) continue;
    components[node] = mark;
    walk(node, { edges: predecessors, marks: components, mark });
    mark -= 1;
  }
  return components;
}

/** The nodes in the order in which a walk in depth is done with all that they lead to. */
function leavingOrder({ offsets, nodes }: Edges): Int32Array {
  const edgeOf = offsets.slice(0, -1);
  const isMet = new Uint8Array(edgeOf.length);
  const order = new Int32Array(edgeOf.length);
  const path: number[] = [];
  let count = 0;
  for (let root = 0; root < edgeOf.length; root += 1) {
    enter(root);
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      const edge = edgeOf[node]!;
      edgeOf[node] = edge + 1;
      if (edge < offsets[node + 1]!) enter(nodes[edge]!);
      else {
        order[count++] = node;
        path.pop();
      }
    }
  }
  return order;

  function enter(node: number): void {
    if (isMet[node] === 1) return;
    isMet[node] = 1;
    path.push(node);
  }
}

/** What all searches share, so that one costs no more than the nodes that it meets. */
interface Search {
  readonly components: Int32Array;
  /** The start of the search that met a node last. */
  readonly metFrom: Int32Array;
  readonly cameFrom: Int32Array;
  readonly queue: Int32Array;
  stepsLeft: number;
}

/** Follows who waits for whom from `start` until it is back; empty when it never is. */
function shortestCycleThrough(
  start: number,
  { offsets, nodes }: Edges,
  search: Search,
): readonly number[] {
  const { components, metFrom, cameFrom, queue } = search;
  queue[0] = start;
  let length = 1;
  for (let head = 0; head < length; head += 1) {
    const node = queue[head]!;
    for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge += 1) {
      search.stepsLeft -= 1;
      const next = nodes[edge]!;
      if (next === start) return pathTo(node, { start, cameFrom });
      // Nobody comes back from another component.
      if (metFrom[next] === start || components[next] !== components[start]) continue;
      metFrom[next] = start;
      cameFrom[next] = node;
      queue[length++] = next;
    }
  }
  return [];
}

function pathTo(
  end: number,
  { start, cameFrom }: { readonly start: number; readonly cameFrom: Int32Array },
): readonly number[] {
  const path = [end];
  for (let node = end; node !== start;) {
    node = cameFrom[node]!;
    path.push(node);
  }
  return path.toReversed();
}
