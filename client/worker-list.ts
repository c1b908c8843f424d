import type {
  BoardView,
  Hold,
  WorkerKey,
  WorkersChanged,
  WorkerView,
} from '../protocol/workers.ts';
import { FolderPlaces } from './folder-places.ts';
import { keyOf } from './task-list.ts';

/** Something that a worker has. */
export interface HeldBy {
  readonly worker: WorkerView;
  readonly hold: Hold;
}

/** A difference that is larger is another clock, and no delay. */
const HELD_UP_MS = 2000;

/** What the server last said of all who work on the boards of this window. */
export class WorkerList {
  readonly #clock: () => number;
  readonly #views = new Map<string, WorkerView>();
  readonly #folders = new FolderPlaces();
  readonly #listeners: ((changed: readonly string[]) => void)[] = [];
  #boards: readonly BoardView[] = [];
  /** How far the clock of the boards is ahead of this one. */
  #aheadMs: number;

  /** `clock` gives milliseconds, of whatever it counts from; `now`: the time until a board tells its own. */
  constructor(clock: () => number, now?: number) {
    this.#clock = clock;
    this.#aheadMs = now === undefined ? 0 : now - clock();
  }

  /** The time of the boards. */
  get now(): number {
    return this.#clock() + this.#aheadMs;
  }

  get boards(): readonly BoardView[] {
    return this.#boards.toSorted((a, b) => this.#folders.compare(a, b));
  }

  get all(): readonly WorkerView[] {
    return [...this.#views.values()].toSorted((a, b) => this.#folders.compare(a, b));
  }

  get(key: string): WorkerView | undefined {
    return this.#views.get(key);
  }

  get holds(): readonly HeldBy[] {
    return this.all.flatMap((worker) => worker.holds.map((hold) => ({ worker, hold })));
  }

  hold(worker: string, key: string): Hold | undefined {
    return this.get(worker)?.holds.find((each) => each.key === key);
  }

  /** What the user has, by the keys of the tasks. */
  get ownTasks(): ReadonlyMap<string, HeldBy> {
    return new Map(
      this.holds.flatMap((held) =>
        held.worker.isYou && held.hold.task !== undefined ? [[keyOf(held.hold.task), held]] : [],
      ),
    );
  }

  /** Puts the folders in the order in which the window has them. */
  arrange(folderUris: readonly string[]): void {
    if (this.#folders.arrange(folderUris)) this.#tell([]);
  }

  apply({ now, changed, removed, boards }: WorkersChanged): void {
    // A message that was held up says too little.
    const aheadMs = now - this.#clock();
    if (aheadMs > this.#aheadMs || this.#aheadMs - aheadMs > HELD_UP_MS) this.#aheadMs = aheadMs;
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

export function keyOfHold({ worker, hold }: HeldBy): string {
  return `${keyOfWorker(worker)}\n${hold.key}`;
}

export function keyOfWorker({ folderUri, id }: WorkerKey): string {
  return `${folderUri}\n${id}`;
}
