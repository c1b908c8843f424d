import type { RunId, TaskId } from '../domain/ids.ts';
import type { LedgerEntry } from '../engine/store-port.ts';
import type { DismissedWrites } from '../scheduler/model/dismissed-writes.ts';
import { isObservation, type Observed, observedIn } from '../scheduler/model/observed.ts';
import type { OpenBoard } from './ports.ts';

/** What was seen of the tasks of runs, read once and again when there is news. */
export class Observations {
  readonly #tree: () => string;
  readonly #known = new Map<RunId, ReadonlyMap<TaskId, Observed>>();

  /** `tree`: the working tree that the paths count from. */
  constructor(tree: () => string) {
    this.#tree = tree;
  }

  of({ store, keeper }: Sources, run: RunId, task: TaskId): Observed | undefined {
    let known = this.#known.get(run);
    if (known === undefined) {
      const dismissed = keeper.board.owners.dismissed;
      known = withoutDismissed(observedIn(run, store.observationsOf(run)), {
        dismissed,
        tree: this.#tree(),
        run,
      });
      if (this.#known.size >= KEPT) this.#known.clear();
      this.#known.set(run, known);
    }
    return known.get(task);
  }

  heed(entries: readonly LedgerEntry[]): void {
    for (const { event } of entries) {
      if (isObservation(event)) this.#known.delete(event.run);
      // A path may be ignored in all runs from now on.
      if (event.kind === 'writesDismissed') this.#known.clear();
    }
  }
}

/** A folder has few runs that are the newest of any task. */
const KEPT = 1000;

interface Sources {
  readonly store: Pick<OpenBoard['store'], 'observationsOf'>;
  readonly keeper: { readonly board: { readonly owners: { readonly dismissed: DismissedWrites } } };
}

/** What is still to be said of the tasks of a run. Stale inputs stay: whoever wrote them, the task may have read the old text. */
function withoutDismissed(
  known: ReadonlyMap<TaskId, Observed>,
  at: { readonly dismissed: DismissedWrites; readonly tree: string; readonly run: RunId },
): ReadonlyMap<TaskId, Observed> {
  const { dismissed, tree, run } = at;
  const left = new Map<TaskId, Observed>();
  for (const [task, { undeclared, unclear, stale, touched }] of known) {
    const isOpen = (path: string): boolean => !dismissed.covers({ tree, path, of: { run, task } });
    const seen: Observed = {
      undeclared: new Set([...undeclared].filter(isOpen)),
      unclear: new Map([...unclear].filter(([path]) => isOpen(path))),
      stale,
      touched,
    };
    if (Object.values(seen).some(({ size }) => size > 0)) left.set(task, seen);
  }
  return left;
}
