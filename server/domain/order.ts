import type { TaskGraph } from './graph.ts';
import type { TaskId } from './ids.ts';

/** The tasks that always finish before one task starts, and those that start only after it. */
export interface OrderOfTask {
  readonly count: number;
  has(id: TaskId): boolean;
}

/**
 * Answers for one task after another; an answer holds until the next question. Tasks are numbers
 * inside, because a plan may ask this thousands of times.
 */
export function orderIn(graph: TaskGraph): (id: TaskId) => OrderOfTask {
  const numbers = new Map(graph.ids.map((id, number) => [id, number]));
  const edgesOf = (edges: TaskGraph['successors']): number[][] =>
    graph.ids.map((id) => (edges.get(id) ?? []).map((next) => numbers.get(next) ?? 0));
  const directions = [edgesOf(graph.predecessors), edgesOf(graph.successors)];
  /** The question in which a task was met last, for each direction. */
  const met = directions.map(() => new Uint32Array(graph.ids.length));
  let question = 0;
  return (id) => {
    question += 1;
    let count = 0;
    for (const [index, edges] of directions.entries())
      count += walk(numbers.get(id) ?? 0, { edges, met: met[index]!, question });
    const has = (other: TaskId): boolean => {
      const number = numbers.get(other) ?? 0;
      return met.some((marks) => marks[number] === question);
    };
    return { count, has };
  };
}

interface Walk {
  readonly edges: readonly (readonly number[])[];
  readonly met: Uint32Array;
  readonly question: number;
}

/** Marks all that `start` reaches, `start` itself only when it is on a cycle. Answers how many. */
function walk(start: number, { edges, met, question }: Walk): number {
  const stack = [start];
  let count = 0;
  for (let at = stack.pop(); at !== undefined; at = stack.pop())
    for (const next of edges[at] ?? []) {
      if (met[next] === question) continue;
      met[next] = question;
      count += 1;
      stack.push(next);
    }
  return count;
}
