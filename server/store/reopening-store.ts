import { isFailedDisk, type StoreError, WriterBusy } from '../engine/store-error.ts';
import type { Store } from '../engine/store-port.ts';
import { markSuspect } from './database.ts';

/** A store over one file, and where a damaged one was moved to when it was opened. */
export interface OpenedStore extends Store {
  readonly movedAside: string | undefined;
  /** The board has gone on in a copy of the file. */
  hasCopy(): boolean;
  makeCopy(mayPublish: () => boolean): void;
}

interface Opening {
  readonly file: () => string;
  readonly open: () => OpenedStore;
  /** A damaged file was found after the disk had failed. */
  readonly onMovedAside: (name: string) => void;
  /** Whether this process holds the board's lock: then it may leave a file that a suspended process blocks. */
  readonly holdsLock: () => boolean;
}

interface Watcher {
  readonly onHint: () => void;
  watching: Disposable | undefined;
}

/**
 * A store that does not trust what the system remembers of a disk that failed: after a failed write
 * the system may take for written what is not. So the file is opened anew and looked through, and
 * whoever wrote begins another tenure before anything is written again, as after a crash.
 */
export class ReopeningStore implements Store {
  readonly #opening: Opening;
  readonly #watchers = new Set<Watcher>();
  #store: OpenedStore | undefined;
  /** The disk has failed since the tenure began: it is over. */
  #failure: StoreError | undefined;
  /** The store in which this process began its tenure. */
  #decidesIn: OpenedStore | undefined;
  #isBusy = false;
  #isClosed = false;
  readonly movedAside: string | undefined;

  constructor(opening: Opening) {
    this.#opening = opening;
    this.#store = opening.open();
    this.movedAside = this.#store.movedAside;
  }

  snapshot: Store['snapshot'] = () => this.#use((store) => store.snapshot());

  beginTenure: Store['beginTenure'] = () => {
    this.#decidesIn = undefined;
    const tenure = this.#unlessBlocked((store) => this.#begin(store));
    this.#failure = undefined;
    return tenure;
  };

  together: Store['together'] = (write) => this.#write((store) => store.together(write));

  commit: Store['commit'] = (turn, decisions) =>
    this.#write((store) => store.commit(turn, decisions));

  claim: Store['claim'] = (write) => this.#write((store) => store.claim(write));

  renew: Store['renew'] = (write) => this.#write((store) => store.renew(write));

  settle: Store['settle'] = (write) => this.#write((store) => store.settle(write));

  record: Store['record'] = (events, operation, grant) =>
    this.#write((store) => store.record(events, operation, grant));

  /** Not where another process has moved the board to a copy, whether or not that can be read. */
  isLatest: Store['isLatest'] = () => {
    const store = this.#store;
    if (store === undefined || store !== this.#decidesIn || store.hasCopy()) return false;
    return this.#use((its) => its.isLatest());
  };

  resolve: Store['resolve'] = (operation) => this.#use((store) => store.resolve(operation));

  rebase: Store['rebase'] = (facts) => this.#write((store) => store.rebase(facts));

  events: Store['events'] = (after, limit, length) =>
    this.#use((store) => store.events(after, limit, length));

  eventsOfRun: Store['eventsOfRun'] = (run, after, limit) =>
    this.#use((store) => store.eventsOfRun(run, after, limit));

  observationsOf: Store['observationsOf'] = (run) =>
    this.#use((store) => store.observationsOf(run));
  lastSequence: Store['lastSequence'] = () => this.#use((store) => store.lastSequence());

  runs: Store['runs'] = (limit) => this.#use((store) => store.runs(limit));

  statesOf: Store['statesOf'] = (run) => this.#use((store) => store.statesOf(run));

  latestStates: Store['latestStates'] = (root) => this.#use((store) => store.latestStates(root));

  watch(onHint: () => void): Disposable {
    const watcher: Watcher = { onHint, watching: undefined };
    if (this.#store !== undefined) begin(watcher, this.#store);
    this.#watchers.add(watcher);
    return {
      [Symbol.dispose]: () => {
        this.#watchers.delete(watcher);
        watcher.watching?.[Symbol.dispose]();
      },
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#store?.close();
  }

  #write<T>(write: (store: Store) => T): T {
    if (this.#failure !== undefined) throw this.#failure;
    return this.#unlessBlocked(write);
  }

  /**
   * A process that was suspended in the middle of a write may never continue: the board goes on in a copy.
   * What could not begin has written nothing, so it is asked for again there.
   */
  #unlessBlocked<T>(ask: (store: OpenedStore) => T): T {
    try {
      return this.#use(ask);
    } catch (error) {
      const isBlocked = error instanceof WriterBusy && error.isSuspended && !this.#isBusy;
      if (!isBlocked || !this.#mayLeave()) throw error;
      const hadTenure = this.#decidesIn !== undefined;
      this.#use((store) => store.makeCopy(() => this.#opening.holdsLock()));
      if (hadTenure) this.#use((store) => this.#begin(store));
      return this.#use(ask);
    }
  }

  #mayLeave(): boolean {
    return this.#opening.holdsLock() && (this.#decidesIn === undefined || this.isLatest());
  }

  #begin(store: OpenedStore): number {
    const tenure = store.beginTenure();
    this.#decidesIn = store;
    return tenure;
  }

  #use<T>(ask: (store: OpenedStore) => T): T {
    if (!this.#isBusy && this.#store?.hasCopy() === true) this.#leave(this.#store);
    const store = this.#store ?? this.#reopen();
    // What is asked inside of a transaction fails with it.
    if (this.#isBusy) return ask(store);
    this.#isBusy = true;
    try {
      return ask(store);
    } catch (error) {
      if (isFailedDisk(error)) this.#letGo(store, error);
      throw error;
    } finally {
      this.#isBusy = false;
    }
  }

  #letGo(store: OpenedStore, failure: StoreError): void {
    this.#failure = failure;
    markSuspect(this.#opening.file());
    this.#leave(store);
  }

  #leave(store: OpenedStore): void {
    for (const watcher of this.#watchers) watcher.watching?.[Symbol.dispose]();
    if (this.#isClosed) return;
    this.#store = undefined;
    try {
      store.close();
    } catch {
      // It failed before, and that is what is told.
    }
  }

  #reopen(): OpenedStore {
    if (this.#isClosed && this.#failure !== undefined) throw this.#failure;
    const store = this.#opening.open();
    this.#store = store;
    if (store.movedAside !== undefined) this.#opening.onMovedAside(store.movedAside);
    for (const watcher of this.#watchers) begin(watcher, store);
    return store;
  }
}

/** Without it the view is right again at the next change of our own. */
function begin(watcher: Watcher, store: Store): void {
  try {
    watcher.watching = store.watch(watcher.onHint);
  } catch {
    watcher.watching = undefined;
  }
}
