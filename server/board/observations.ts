import type { RunId, TaskId } from '../domain/ids.ts';
import type { LedgerEntry, Store } from '../engine/store-port.ts';
import { isObservation, type Observed, observedIn } from '../scheduler/model/observed.ts';

/** What was seen of the tasks of runs, read once and again when there is news. */
export class Observations {
  readonly #known = new Map<RunId, ReadonlyMap<TaskId, Observed>>();

  of(store: Pick<Store, 'observationsOf'>, run: RunId, task: TaskId): Observed | undefined {
    let known = this.#known.get(run);
    if (known === undefined) {
      known = observedIn(run, store.observationsOf(run));
      if (this.#known.size >= KEPT) this.#known.clear();
      this.#known.set(run, known);
    }
    return known.get(task);
  }

  heed(entries: readonly LedgerEntry[]): void {
    for (const { event } of entries) if (isObservation(event)) this.#known.delete(event.run);
  }
}

/** A folder has few runs that are the newest of any task. */
const KEPT = 1000;
