import type { TaskGraph } from '../../domain/graph/graph.ts';
import { PRIORITIES } from '../../domain/priority.ts';

const CLASSES = PRIORITIES.length;

/**
 * The class each task of a run is served in: its own, or that of the highest open task that waits for
 * it; or else that one would wait as long as the lower class does.
 *
 * Invariant: `#waiting[CLASSES * n + rank]` open tasks that are served in that class wait for task n.
 */
export class ServedClasses {
  /** By the number of the task. Of one that has ended it says nothing. */
  readonly ranks: Uint8Array;
  readonly #own: Uint8Array;
  readonly #graph: TaskGraph;
  readonly #isOpen: Uint8Array;
  readonly #waiting: Int32Array;

  constructor(graph: TaskGraph, own: Uint8Array, isOpen: Uint8Array) {
    this.ranks = own.slice();
    this.#own = own;
    this.#graph = graph;
    this.#isOpen = isOpen.slice();
    this.#waiting = new Int32Array(CLASSES * own.length);
    const open = [...own.keys()].filter((task) => isOpen[task] === 1);
    for (const task of open) this.#count(task, { from: undefined, to: own[task] });
    this.#pass(open);
  }

  /**
   * Takes the classes that were worked out step by step. Tasks on a cycle go on lending each other a
   * class that nobody gives them any more, so that these do not follow from who is open.
   */
  restore(ranks: readonly number[]): void {
    this.ranks.set(ranks);
    this.#waiting.fill(0);
    for (const [task, rank] of ranks.entries())
      if (this.#isOpen[task] === 1) this.#count(task, { from: undefined, to: rank });
  }

  /** A task has ended, or is open again. Answers who is in another class now. */
  follow(task: number, isOpen: boolean): readonly number[] {
    this.#isOpen[task] = isOpen ? 1 : 0;
    const before = this.ranks[task];
    if (!isOpen) {
      this.#count(task, { from: before, to: undefined });
      return this.#pass([task]);
    }
    // What waits for it may be another now than when it ended.
    const rank = this.#rankOf(task);
    this.ranks[task] = rank;
    this.#count(task, { from: undefined, to: rank });
    const changed = this.#pass([task]);
    return before === rank ? changed : [task, ...changed];
  }

  /** What these wait for may be served in another class now, and so may what that waits for. */
  #pass(first: readonly number[]): readonly number[] {
    const { offsets, nodes } = this.#graph.predecessors;
    const changed: number[] = [];
    const queue = [...first];
    for (let next = queue.pop(); next !== undefined; next = queue.pop())
      for (let edge = offsets[next]!; edge < offsets[next + 1]!; edge += 1) {
        const task = nodes[edge]!;
        if (this.#isOpen[task] === 0) continue;
        const [from, to] = [this.ranks[task]!, this.#rankOf(task)];
        if (from === to) continue;
        this.ranks[task] = to;
        this.#count(task, { from, to });
        changed.push(task);
        queue.push(task);
      }
    return changed;
  }

  #count(
    task: number,
    { from, to }: { readonly from: number | undefined; readonly to: number | undefined },
  ): void {
    const { offsets, nodes } = this.#graph.predecessors;
    for (let edge = offsets[task]!; edge < offsets[task + 1]!; edge += 1) {
      const first = CLASSES * nodes[edge]!;
      if (from !== undefined) this.#waiting[first + from]! -= 1;
      if (to !== undefined) this.#waiting[first + to]! += 1;
    }
  }

  #rankOf(task: number): number {
    const own = this.#own[task]!;
    for (let rank = 0; rank < own; rank += 1)
      if (this.#waiting[CLASSES * task + rank]! > 0) return rank;
    return own;
  }
}
