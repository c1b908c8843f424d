import type { RunId } from '../domain/ids.ts';
import type { LedgerEntry, Store } from '../engine/store-port.ts';
import type { BoardEvent } from '../scheduler/model/board-event.ts';

const PAGE = 1000;

/** What a timeline is made of: what happened in a run, and what held up the whole board meanwhile. */
export class RunEntries {
  readonly #store: Store;
  readonly #run: RunId;
  readonly #others: ReadonlySet<RunId>;
  readonly #events: BoardEvent[] = [];
  #after: number | undefined;
  #isEnded = false;

  /** Of `others` its tasks wait for some. */
  constructor(store: Store, { run, others }: { run: RunId; others: readonly RunId[] }) {
    this.#store = store;
    this.#run = run;
    this.#others = new Set(others);
  }

  get events(): readonly BoardEvent[] {
    return this.#events;
  }

  /** Reads on in the ledger. Answers whether there was anything new of it. */
  read(): boolean {
    const before = this.#events.length;
    // What was before the run was asked for does not count, and may not be kept any more.
    this.#after ??= (this.#store.eventsOfRun(this.#run, 0, 1).at(0)?.sequence ?? 1) - 1;
    while (!this.#isEnded) {
      const page: readonly LedgerEntry[] = this.#store.events(this.#after, PAGE);
      for (const { event } of page) {
        if (!this.#isEnded && this.#counts(event)) this.#events.push(event);
        if (event.kind === 'runFinished' && event.run === this.#run) this.#isEnded = true;
      }
      const last = page.at(-1);
      if (last === undefined) break;
      this.#after = last.sequence;
    }
    return this.#events.length > before;
  }

  #counts(event: BoardEvent): boolean {
    if (event.kind === 'boardPaused' || event.kind === 'boardResumed') return true;
    if (event.kind === 'taskMoved' && event.event.kind === 'leaseRenewed') return false;
    if (!('run' in event)) return false;
    return event.run === this.#run || (event.kind === 'taskMoved' && this.#others.has(event.run));
  }
}
