import { assert } from '../../server/domain/assert.ts';
import { buildGraph, longestPaths } from '../../server/domain/graph/graph.ts';
import type { TaskId } from '../../server/domain/ids.ts';
import type { TaskDefinition } from '../../server/domain/task.ts';
import { tasksOf } from './boards.ts';
import { randomGraph } from './graphs.ts';
import { type Bench, medians, milliseconds, perStep, type Row } from './measure.ts';

const SIZE = 100_000;
const DEGREE = 3;
const WEIGHT = 1000;

/** Our graph next to the one that everybody writes first: maps of sets. */
export const GRAPH: Bench = {
  name: 'graph',
  run: () => {
    const tasks = tasksOf(randomGraph(SIZE, DEGREE));
    const [graph, peer] = [buildGraph(tasks), buildMaps(tasks)];
    const weights = new Float64Array(SIZE).fill(WEIGHT);
    const ms = medians({
      build: () => milliseconds(() => void buildGraph(tasks)),
      buildMaps: () => milliseconds(() => void buildMaps(tasks)),
      paths: () => milliseconds(() => void longestPaths(graph, weights)),
      pathsOfMaps: () => milliseconds(() => void longestPathsOfMaps(peer)),
      frontier: () => milliseconds(() => runToEnd(graph)),
      frontierOfMaps: () => milliseconds(() => void runMapsToEnd(peer)),
    });
    const row = (what: string, name: 'build' | 'paths' | 'frontier'): Row => {
      const other = name === 'build' ? 'buildMaps' : (`${name}OfMaps` as const);
      const count = SIZE;
      return perStep(what, { ours: { ms: ms(name), count }, limit: { ms: ms(other), count } }, 1);
    };
    return [
      row('building, a task / maps of sets', 'build'),
      row('longest paths, a task / maps of sets', 'paths'),
      row('the frontier to the end, a task / maps of sets', 'frontier'),
    ];
  },
};

function runToEnd({ predecessors, successors, ids }: ReturnType<typeof buildGraph>): void {
  const left = new Int32Array(ids.length);
  const order = new Int32Array(ids.length);
  let count = 0;
  for (let node = 0; node < ids.length; node += 1) {
    left[node] = predecessors.offsets[node + 1]! - predecessors.offsets[node]!;
    if (left[node] === 0) order[count++] = node;
  }
  for (let at = 0; at < count; at += 1) {
    const end = successors.offsets[order[at]! + 1]!;
    for (let edge = successors.offsets[order[at]!]!; edge < end; edge += 1) {
      const next = successors.nodes[edge]!;
      left[next]! -= 1;
      if (left[next] === 0) order[count++] = next;
    }
  }
  assert(count === ids.length, 'the frontier comes to the end');
}

interface Maps {
  readonly before: ReadonlyMap<TaskId, ReadonlySet<TaskId>>;
  readonly behind: ReadonlyMap<TaskId, ReadonlySet<TaskId>>;
}

function buildMaps(tasks: readonly TaskDefinition[]): Maps {
  const before = new Map<TaskId, Set<TaskId>>();
  const behind = new Map<TaskId, Set<TaskId>>(tasks.map(({ id }) => [id, new Set()]));
  for (const { id, dependsOn } of tasks) {
    before.set(id, new Set(dependsOn));
    for (const earlier of dependsOn) behind.get(earlier)?.add(id);
  }
  return { before, behind };
}

function longestPathsOfMaps(maps: Maps): ReadonlyMap<TaskId, number> {
  const longest = new Map<TaskId, number>();
  for (const id of runMapsToEnd(maps).toReversed()) {
    let most = 0;
    for (const next of maps.behind.get(id) ?? []) most = Math.max(most, longest.get(next) ?? 0);
    longest.set(id, WEIGHT + most);
  }
  return longest;
}

function runMapsToEnd({ before, behind }: Maps): readonly TaskId[] {
  const left = new Map<TaskId, Set<TaskId>>();
  const order: TaskId[] = [];
  for (const [id, waitsFor] of before) {
    left.set(id, new Set(waitsFor));
    if (waitsFor.size === 0) order.push(id);
  }
  for (const id of order)
    for (const next of behind.get(id) ?? []) {
      const waitsFor = left.get(next);
      waitsFor?.delete(id);
      if (waitsFor?.size === 0) order.push(next);
    }
  assert(order.length === before.size, 'the frontier comes to the end');
  return order;
}
