import { nodesAt, type TaskGraph } from '../domain/graph/graph.ts';

const DISTANCE = 2;
const NEIGHBOUR_LIMIT = 150;

/** A task with those before and behind it, the nearest first, as far as a picture has room. */
export function neighboursOf(graph: TaskGraph, task: string): ReadonlySet<string> {
  const start = [...graph.numberOf].find(([id]) => id === task)?.[1];
  if (start === undefined) return new Set();
  const met = new Set([start]);
  for (const direction of ['predecessors', 'successors'] as const) {
    let edge = [start];
    for (let distance = 0; distance < DISTANCE; distance += 1) {
      const next = edge.flatMap((node) => [...nodesAt(graph[direction], node)]);
      edge = [...new Set(next)].filter((node) => !met.has(node));
      edge = edge.slice(0, NEIGHBOUR_LIMIT - met.size);
      for (const node of edge) met.add(node);
    }
  }
  return new Set([...met].map((node) => graph.ids[node]!));
}
