import type {
  BoardView,
  Hold,
  WorkerKey,
  WorkersChanged,
  WorkerView,
} from '../protocol/workers.ts';
import { keyOf } from './task-list.ts';

/** What the server last said of all who work on the boards of this window. */
export class WorkerList {
  readonly #clock: () => number;
  readonly #views = new Map<string, WorkerView>();
  readonly #listeners: ((changed: readonly string[]) => void)[] = [];
  #boards: readonly BoardView[] = [];
  /** How far the clock of the boards is ahead of this one. */
  #aheadMs = 0;

  /** `clock` gives milliseconds, of whatever it counts from. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** The time of the boards. */
  get now(): number {
    return this.#clock() + this.#aheadMs;
  }

  get boards(): readonly BoardView[] {
    return this.#boards;
  }

  get all(): readonly WorkerView[] {
    return [...this.#views.values()];
  }

  /** The keys of the tasks that are the user's now. */
  get ownTasks(): ReadonlySet<string> {
    const held = this.all.filter(({ isYou }) => isYou).flatMap(({ holds }) => holds);
    return new Set(held.flatMap(({ task }) => (task === undefined ? [] : [keyOf(task)])));
  }

  get(key: string): WorkerView | undefined {
    return this.#views.get(key);
  }

  hold(worker: string, key: string): Hold | undefined {
    return this.get(worker)?.holds.find((each) => each.key === key);
  }

  apply({ now, changed, removed, boards }: WorkersChanged): void {
    this.#aheadMs = now - this.#clock();
    this.#boards = boards;
    for (const key of removed) this.#views.delete(keyOfWorker(key));
    for (const view of changed) this.#views.set(keyOfWorker(view), view);
    this.#tell([...removed, ...changed].map(keyOfWorker));
  }

  /** The server that said all this is gone. */
  clear(): void {
    const keys = [...this.#views.keys()];
    this.#views.clear();
    this.#boards = [];
    this.#tell(keys);
  }

  /** Told which workers may be others now. */
  onChange(listener: (changed: readonly string[]) => void): void {
    this.#listeners.push(listener);
  }

  #tell(changed: readonly string[]): void {
    for (const listener of this.#listeners) listener(changed);
  }
}

export function keyOfWorker({ folderUri, id }: WorkerKey): string {
  return `${folderUri}\n${id}`;
}
