import { findCycles } from '../../domain/graph/cycles.ts';
import { buildGraph, type TaskGraph } from '../../domain/graph/graph.ts';
import type { TaskId } from '../../domain/ids.ts';
import type { OrderedPair, PlanTask, TextRange } from '../plan.ts';
import type { ProblemList } from '../yaml-document.ts';

/** A file built to make it slow is not worth more. */
const STEP_LIMIT = 2_000_000;
const ROUND_LIMIT = 10;

/** A task that wants what it depends on to run one after the other. */
export interface Sequence {
  readonly task: TaskId;
  /** Where it says so. */
  readonly range: TextRange;
}

/** What is known of each task here. */
type Node = Pick<PlanTask, 'id' | 'dependsOn'>;

/**
 * What each of these orders comes to. An order counts in runs that have the task which wants it, and in no
 * other: what it names stays as it is.
 *
 * Whatever the second of two needs waits as well until the first has completed, as in an editor, which does not
 * look at the second before that.
 */
export function pairsInOrder(
  tasks: readonly Node[],
  sequences: readonly Sequence[],
  problems: ProblemList,
): ReadonlyMap<TaskId, readonly OrderedPair[]> {
  const finder = new PairFinder(tasks);
  const wanted = new Map<TaskId, readonly OrderedPair[]>();
  for (const { task, range } of sequences) {
    const pairs = finder.of(task);
    if (pairs === undefined)
      problems.error('too-large', range, 'This file is too large to keep to this order.');
    else if (pairs.length > 0) wanted.set(task, pairs);
  }
  if (wanted.size === 0) return wanted;
  const ranges = new Map(sequences.map(({ task, range }) => [task, range]));
  for (const task of opposed(tasks, wanted)) {
    const range = ranges.get(task);
    const message =
      'No run can keep to this order: other tasks of this file need the same tasks the other way round.';
    if (range !== undefined) problems.error('contradiction', range, message);
    wanted.delete(task);
  }
  return wanted;
}

class PairFinder {
  readonly #byId: ReadonlyMap<TaskId, Node>;
  #stepsLeft = STEP_LIMIT;

  constructor(tasks: readonly Node[]) {
    this.#byId = new Map(tasks.map((task) => [task.id, task]));
  }

  /** Nothing when that takes too long. */
  of(id: TaskId): readonly OrderedPair[] | undefined {
    const pairs: OrderedPair[] = [];
    const before = new Set<TaskId>();
    let last: TaskId | undefined;
    for (const next of this.#byId.get(id)?.dependsOn ?? []) {
      const added = this.#neededBy(next, before);
      if (added === undefined) return undefined;
      // What one before it needs has completed by then, and runs once.
      if (added.size === 0) continue;
      if (last !== undefined)
        for (const task of this.#firstOf(added)) pairs.push({ task, dependsOn: last });
      for (const each of added) before.add(each);
      last = next;
    }
    return pairs;
  }

  /** It and all that it needs, without what is there already. */
  #neededBy(id: TaskId, before: ReadonlySet<TaskId>): ReadonlySet<TaskId> | undefined {
    const added = new Set<TaskId>(before.has(id) ? [] : [id]);
    for (const each of added)
      for (const needed of this.#byId.get(each)?.dependsOn ?? []) {
        this.#stepsLeft -= 1;
        if (this.#stepsLeft < 0) return undefined;
        if (!before.has(needed)) added.add(needed);
      }
    return added;
  }

  /** Those that wait for no other of them; the others wait for these. */
  #firstOf(added: ReadonlySet<TaskId>): readonly TaskId[] {
    return [...added].filter(
      (id) => !(this.#byId.get(id)?.dependsOn ?? []).some((needed) => added.has(needed)),
    );
  }
}

type Wanted = ReadonlyMap<TaskId, readonly OrderedPair[]>;

/** Who wants an order that, with what all others want, closes a circle. */
function opposed(tasks: readonly Node[], wanted: Wanted): readonly TaskId[] {
  const owners = ownersOf(tasks, wanted);
  const found = new Set<TaskId>();
  for (let round = 0; round < ROUND_LIMIT; round += 1) {
    const { size } = found;
    const left = [...wanted].filter(([owner]) => !found.has(owner)).flatMap(([, pairs]) => pairs);
    for (const cycle of findCycles(graphWith(tasks, left)))
      for (const [index, task] of cycle.entries()) {
        const edge = `${task} ${cycle[(index + 1) % cycle.length]}`;
        owners.get(edge)?.forEach((owner) => found.add(owner));
      }
    if (found.size === size) return [...found];
  }
  return [...wanted.keys()];
}

/** Of each pair that no task needs by itself. */
function ownersOf(tasks: readonly Node[], wanted: Wanted): ReadonlyMap<string, readonly TaskId[]> {
  const owners = new Map<string, TaskId[]>();
  for (const [owner, pairs] of wanted)
    for (const { task, dependsOn } of pairs) addTo(owners, `${task} ${dependsOn}`, owner);
  for (const { id, dependsOn } of tasks)
    for (const needed of dependsOn) owners.delete(`${id} ${needed}`);
  return owners;
}

function graphWith(tasks: readonly Node[], pairs: readonly OrderedPair[]): TaskGraph {
  const more = new Map<TaskId, TaskId[]>();
  for (const { task, dependsOn } of pairs) addTo(more, task, dependsOn);
  return buildGraph(
    tasks.map(({ id, dependsOn }) => ({
      id,
      after: [],
      dependsOn: [...dependsOn, ...(more.get(id) ?? [])],
    })),
  );
}

function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
