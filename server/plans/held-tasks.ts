import { areEqual } from '../domain/equal-lists.ts';
import { parseTaskId, type TaskId } from '../domain/ids.ts';
import { causesIn } from './obstacles.ts';
import { readKeyOf } from './plan-links.ts';
import type { TaskCluster } from './task-clusters.ts';

/** A task that cannot start, and the key of the one that is to blame: itself, or one that it waits for. */
interface HeldTask {
  readonly id: TaskId;
  readonly cause: TaskId;
}

interface Known {
  readonly obstructed: readonly TaskId[];
  readonly held: ReadonlyMap<number, readonly HeldTask[]>;
}

/** Which tasks of a cluster cannot start, worked out again only when others have obstacles of their own. */
export class HeldTasks {
  readonly #known = new WeakMap<TaskCluster, Known>();

  /** By the numbers of their plans. `obstructed` are the keys of those with an obstacle of their own. */
  of(cluster: TaskCluster, obstructed: readonly TaskId[]): Known['held'] {
    const known = this.#known.get(cluster);
    if (known !== undefined && areEqual(known.obstructed, obstructed)) return known.held;
    const held = new Map<number, HeldTask[]>();
    for (const [key, cause] of causesIn(cluster, obstructed)) {
      const { number, id: text } = readKeyOf(key);
      const id = parseTaskId(text)!;
      const others = held.get(number);
      if (others === undefined) held.set(number, [{ id, cause }]);
      else others.push({ id, cause });
    }
    this.#known.set(cluster, { obstructed, held });
    return held;
  }
}
