import { areEqual } from '../equal-lists.ts';
import type { TaskId } from '../ids.ts';
import type { TaskGraph } from './graph.ts';
import { Reachability } from './reachability.ts';

/** A task in the order of its graph. */
export interface Step {
  readonly order: Reachability;
  readonly node: number;
}

/** Whether one of two tasks is over before the other one starts. */
export function isOrdered(a: Step | undefined, b: Step | undefined): boolean {
  return a !== undefined && a.order === b?.order && a.order.isOrdered(a.node, b.node);
}

/** The order of tasks in some graphs, which is worked out again only where one has changed. */
export class TaskOrders<Id extends string = TaskId> {
  #known: readonly KnownOrder<Id>[] = [];
  #steps: ReadonlyMap<Id, Step> = new Map();

  /** Answers whether all is as it was. */
  update(graphs: readonly TaskGraph<Id>[]): boolean {
    const byFirst = new Map(this.#known.map((known) => [known.graph.ids[0], known]));
    const before = this.#known;
    this.#known = graphs.map((graph) => {
      const known = byFirst.get(graph.ids[0]);
      if (known !== undefined && areSame(known.graph, graph)) return known;
      return { graph, order: new Reachability(graph) };
    });
    const isSame =
      before.length === graphs.length && this.#known.every((known, at) => known === before[at]);
    if (!isSame) this.#steps = stepsOf(this.#known);
    return isSame;
  }

  stepOf(id: Id): Step | undefined {
    return this.#steps.get(id);
  }
}

function stepsOf<Id extends string>(known: readonly KnownOrder<Id>[]): ReadonlyMap<Id, Step> {
  const steps = new Map<Id, Step>();
  for (const { graph, order } of known)
    for (const [id, node] of graph.numberOf) steps.set(id, { order, node });
  return steps;
}

interface KnownOrder<Id extends string> {
  readonly graph: TaskGraph<Id>;
  readonly order: Reachability;
}

function areSame<Id extends string>(a: TaskGraph<Id>, b: TaskGraph<Id>): boolean {
  if (a === b) return true;
  return (
    areEqual(a.ids, b.ids) &&
    areEqual(a.successors.offsets, b.successors.offsets) &&
    areEqual(a.successors.nodes, b.successors.nodes)
  );
}
