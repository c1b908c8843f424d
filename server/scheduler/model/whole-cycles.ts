import { findCycles } from '../../domain/graph/cycles.ts';
import { buildGraph, type GraphNode } from '../../domain/graph/graph.ts';
import type { TaskId } from '../../domain/ids.ts';

interface Task {
  readonly definition: GraphNode;
  readonly isOpen: boolean;
}

/**
 * The cycles of tasks that wait for each other. Who has ended, for whatever reason, holds nobody back
 * any more, so that only those of open tasks count.
 */
export class WholeCycles {
  readonly #tasks: readonly Task[];
  /** As if nobody had ended: who is on none of these is on none at all. */
  #all: CycleOf | undefined;
  #whole: CycleOf | undefined;

  constructor(tasks: readonly Task[]) {
    this.#tasks = tasks;
  }

  /** A task has ended, or is open again. */
  forget(): void {
    this.#whole = undefined;
  }

  through(task: TaskId): readonly TaskId[] | undefined {
    this.#all ??= cyclesOf(this.#tasks);
    if (!this.#all.has(task)) return undefined;
    this.#whole ??= cyclesOf(this.#tasks.filter(({ isOpen }) => isOpen));
    return this.#whole.get(task);
  }
}

type CycleOf = ReadonlyMap<TaskId, readonly TaskId[]>;

function cyclesOf(tasks: readonly Task[]): CycleOf {
  const cycles = findCycles(buildGraph(tasks.map(({ definition }) => definition)));
  return new Map(cycles.flatMap((cycle) => cycle.map((id) => [id, cycle] as const)));
}
