import type { RunId } from '../domain/ids.ts';
import { factsOf } from '../scheduler/model/board-facts.ts';
import type { BoardModel } from '../scheduler/model/board-model.ts';
import type { BoardEvent } from '../scheduler/model/board-event.ts';
import type { PathRules } from '../domain/paths/overlap.ts';
import type { Instant } from '../domain/time.ts';
import type { Decision } from '../scheduler/decision.ts';
import { LiveBoard } from './live-board.ts';
import type { Clock } from './ports.ts';
import type {
  ClaimOutcome,
  ClaimWrite,
  CommittedDecision,
  Grant,
  HolderOutcome,
  HolderWrite,
  LedgerEntry,
  RecordOutcome,
  ResolveOutcome,
  Store,
} from './store-port.ts';

/**
 * Writes to the store, and does the same to the board in memory. What was written since the last
 * `take` has yet to be told to whoever shows the board.
 *
 * Invariant: outside of `together`, the board in memory is the board of the store.
 */
export class BoardWriter {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #rules: PathRules;
  #live: LiveBoard;
  #fresh: LedgerEntry[] = [];
  #sinceBase: number;
  /** The board in memory may have what the store has not. */
  #isUnsure = false;

  constructor({ store, clock, rules }: { store: Store; clock: Clock; rules: PathRules }) {
    this.#store = store;
    this.#clock = clock;
    this.#rules = rules;
    const snapshot = store.snapshot();
    this.#live = new LiveBoard(snapshot, rules);
    this.#sinceBase = snapshot.entries.length;
  }

  get board(): BoardModel {
    return this.#live.model;
  }

  get revision(): number {
    return this.#live.revision;
  }

  /** How many entries somebody who starts would have to read. */
  get sinceBase(): number {
    return this.#sinceBase;
  }

  /** The time of what happens now. */
  now(): Instant {
    return this.board.timeAt(this.#clock.now());
  }

  /** All of it or nothing. Where it was nothing, the board in memory is read anew. */
  together<T>(write: () => T): T {
    if (this.#isUnsure) this.#readAnew();
    const fresh = this.#fresh.length;
    using _ = this.#clock.hold();
    try {
      return this.#store.together(write);
    } catch (error) {
      // What was written before, and not told yet, is still to be told.
      this.#fresh.length = fresh;
      this.#isUnsure = true;
      try {
        this.#readAnew();
      } catch {
        // A store that cannot be written may not be read either: it is, before anything else is written.
      }
      throw error;
    }
  }

  /** What was written since somebody asked. */
  take(): readonly LedgerEntry[] {
    const fresh = this.#fresh;
    this.#fresh = [];
    return fresh;
  }

  commit(decisions: readonly Decision[]): readonly CommittedDecision[] {
    // Turns are numbered by the ledger: no number comes twice, whoever decides.
    const committed = this.#store.commit(this.revision + 1, decisions);
    for (const { entry } of committed) this.#apply(entry);
    return committed;
  }

  claim(write: ClaimWrite): ClaimOutcome {
    const outcome = this.#store.claim(write);
    if (outcome.kind === 'granted') this.#apply(outcome.entry);
    return outcome;
  }

  renew(write: HolderWrite): HolderOutcome {
    return this.#applied(this.#store.renew(write));
  }

  settle(write: HolderWrite & { readonly operation?: string }): HolderOutcome {
    return this.#applied(this.#store.settle(write));
  }

  record(events: readonly BoardEvent[], operation?: string, grant?: Grant): RecordOutcome {
    const outcome = this.#store.record(events, operation, grant);
    if (outcome.kind === 'recorded') for (const entry of outcome.entries) this.#apply(entry);
    return outcome;
  }

  /** Whether a request came before, and what came of it. */
  resolve(operation: string): ResolveOutcome {
    return this.#store.resolve(operation);
  }

  /** The last entries before now, the oldest first. */
  recent(limit: number): readonly LedgerEntry[] {
    return this.#store.events(Math.max(0, this.revision - limit), limit);
  }

  /** What the ledger says up to now is said in short from now on. Answers with runs that are forgotten. */
  rebase(): readonly RunId[] {
    const forgotten = this.#store.rebase(factsOf(this.board));
    this.#sinceBase = 0;
    return forgotten;
  }

  #readAnew(): void {
    const snapshot = this.#store.snapshot();
    this.#live = new LiveBoard(snapshot, this.#rules);
    this.#sinceBase = snapshot.entries.length;
    this.#isUnsure = false;
  }

  #applied(outcome: HolderOutcome): HolderOutcome {
    if (outcome.kind === 'accepted') for (const entry of outcome.entries) this.#apply(entry);
    return outcome;
  }

  #apply(entry: LedgerEntry): void {
    this.#live.apply(entry);
    this.#fresh.push(entry);
    this.#sinceBase += 1;
  }
}
