import type { TaskAsks } from '../../domain/asks.ts';
import type { TaskDefinition } from '../../domain/task.ts';

/** What a task needs from outside, as far as it decides which others it is like. */
export interface Asking {
  readonly asks: TaskAsks;
  readonly touchesFiles: boolean;
}

export function askingOf({ reads, writes }: TaskDefinition, asks: TaskAsks): Asking {
  return { asks, touchesFiles: reads.length > 0 || writes.length > 0 };
}

/** Numbers tasks so that those which ask for the same have the same number. */
export class TaskGroups {
  readonly #numbers = new Map<string, number>();
  /** Most tasks share one object, so its text is not made again. */
  readonly #known = [new Map<TaskAsks, number>(), new Map<TaskAsks, number>()] as const;

  numberOf({ asks, touchesFiles }: Asking): number {
    const known = this.#known[touchesFiles ? 1 : 0];
    let number = known.get(asks);
    if (number !== undefined) return number;
    const { doer, hosts, needs, resources } = asks;
    const key = JSON.stringify([touchesFiles, doer, hosts, needs, resources]);
    number = this.#numbers.get(key) ?? this.#numbers.size;
    this.#numbers.set(key, number);
    known.set(asks, number);
    return number;
  }
}
