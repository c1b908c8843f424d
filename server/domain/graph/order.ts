import { walk, type TaskGraph } from './graph.ts';
import type { TaskId } from '../ids.ts';

/** The tasks that always finish before one task starts, and those that start only after it. */
export interface OrderOfTask {
  readonly count: number;
  has(id: TaskId): boolean;
}

/**
 * Answers for one task after another; an answer holds until the next question. A plan may ask this
 * thousands of times, so all answers share their marks. A task that the graph does not have is
 * ordered with nobody.
 */
export function orderIn(graph: TaskGraph): (id: TaskId) => OrderOfTask {
  /** The question in which a task was met last, for each direction. */
  const directions = [graph.predecessors, graph.successors].map((edges) => ({
    edges,
    marks: new Int32Array(graph.ids.length),
  }));
  let question = 0;
  return (id) => {
    question += 1;
    const start = graph.numberOf.get(id);
    let count = 0;
    if (start !== undefined)
      for (const direction of directions)
        count += walk(start, { ...direction, mark: question }).length;
    const has = (other: TaskId): boolean => {
      const number = graph.numberOf.get(other);
      return number !== undefined && directions.some(({ marks }) => marks[number] === question);
    };
    return { count, has };
  };
}
