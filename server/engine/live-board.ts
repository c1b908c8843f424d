import { assert } from '../domain/assert.ts';
import type { PathRules } from '../domain/paths/overlap.ts';
import { type BoardFacts, boardOf, parseFacts } from '../scheduler/model/board-facts.ts';
import { BoardModel } from '../scheduler/model/board-model.ts';
import type { LedgerEntry, Snapshot } from './store-port.ts';
import { StoreError } from './store-error.ts';

/**
 * The board in memory, kept in line with the ledger.
 *
 * Invariant: it has seen every entry up to its revision, each once and in order.
 */
export class LiveBoard {
  readonly model: BoardModel;
  #revision: number;

  constructor({ base, entries, revision }: Snapshot, rules: PathRules) {
    this.model = base === undefined ? new BoardModel(rules) : boardOf(factsIn(base), rules);
    for (const { event } of entries) this.model.apply(event);
    this.#revision = revision;
  }

  get revision(): number {
    return this.#revision;
  }

  apply(entry: LedgerEntry): void {
    assert(entry.sequence === this.#revision + 1, 'the ledger is read without gaps');
    this.#revision = entry.sequence;
    const result = this.model.apply(entry.event);
    // Whoever writes a file twice says so twice; a task moves only as the store has found it may.
    const isTold = result === 'moved' || entry.event.kind !== 'taskMoved';
    assert(isTold, 'the board in memory is the board of the store');
  }
}

function factsIn(base: unknown): BoardFacts {
  const facts = parseFacts(base);
  if (facts !== undefined) return facts;
  throw new StoreError(
    'newer',
    'Another version of Interlock has written the state of this board. Update this one, or close it.',
  );
}
