import type { TaskId } from './ids.ts';

/** The order that `depends_on` and `after` ask for. Edges to tasks that do not exist are left out. */
export interface TaskGraph {
  readonly ids: readonly TaskId[];
  /** Task to the tasks that must finish before it. */
  readonly predecessors: ReadonlyMap<TaskId, readonly TaskId[]>;
  readonly successors: ReadonlyMap<TaskId, readonly TaskId[]>;
}

interface Node {
  readonly id: TaskId;
  readonly dependsOn: readonly TaskId[];
  readonly after: readonly TaskId[];
}

export function buildGraph(tasks: readonly Node[]): TaskGraph {
  const successors = new Map<TaskId, TaskId[]>(tasks.map((task) => [task.id, []]));
  const predecessors = new Map<TaskId, readonly TaskId[]>();
  for (const task of tasks) {
    const before = [...new Set([...task.dependsOn, ...task.after])];
    const known = before.filter((id) => successors.has(id));
    predecessors.set(task.id, known);
    for (const id of known) successors.get(id)?.push(task.id);
  }
  return { ids: tasks.map((task) => task.id), predecessors, successors };
}

/**
 * Predecessors before successors, by Kahn's algorithm. Tasks on a cycle, and those behind one, are
 * not in the result.
 */
function topologicalOrder(graph: TaskGraph): readonly TaskId[] {
  const missing = new Map(graph.ids.map((id) => [id, graph.predecessors.get(id)?.length ?? 0]));
  const order = graph.ids.filter((id) => missing.get(id) === 0);
  for (let next = 0; next < order.length; next += 1) {
    for (const id of graph.successors.get(order[next]!) ?? []) {
      const left = (missing.get(id) ?? 0) - 1;
      missing.set(id, left);
      if (left === 0) order.push(id);
    }
  }
  return order;
}

/** The shortest cycle through each task that is on one, each cycle once, starting at its first id. */
export function findCycles(graph: TaskGraph): readonly (readonly TaskId[])[] {
  const { ids, predecessors, successors } = graph;
  const backwards = { ids, predecessors: successors, successors: predecessors };
  // Whoever is only behind a cycle, or only before one, is not worth a search of its own.
  const ordered = new Set([...topologicalOrder(graph), ...topologicalOrder(backwards)]);
  const covered = new Set<TaskId>();
  const cycles: TaskId[][] = [];
  for (const id of graph.ids) {
    if (ordered.has(id) || covered.has(id)) continue;
    const cycle = shortestCycleThrough(graph, id);
    if (cycle === undefined) continue;
    for (const member of cycle) covered.add(member);
    cycles.push(cycle);
  }
  return cycles;
}

function shortestCycleThrough(graph: TaskGraph, start: TaskId): TaskId[] | undefined {
  const cameFrom = new Map<TaskId, TaskId>();
  const queue = [start];
  for (let head = 0; head < queue.length; head += 1) {
    const id = queue[head]!;
    for (const next of graph.predecessors.get(id) ?? []) {
      if (next === start) return pathBack(cameFrom, id);
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, id);
      queue.push(next);
    }
  }
  return undefined;
}

function pathBack(cameFrom: ReadonlyMap<TaskId, TaskId>, end: TaskId): TaskId[] {
  const path = [end];
  for (let id = cameFrom.get(end); id !== undefined; id = cameFrom.get(id)) path.push(id);
  return path.toReversed();
}

/** How many tasks, itself included, are on the longest chain that waits for each task. */
export function longestChains(graph: TaskGraph): ReadonlyMap<TaskId, number> {
  const lengths = new Map<TaskId, number>();
  for (const id of topologicalOrder(graph).toReversed()) {
    let longest = 0;
    for (const next of graph.successors.get(id) ?? [])
      longest = Math.max(longest, lengths.get(next) ?? 0);
    lengths.set(id, longest + 1);
  }
  return lengths;
}
