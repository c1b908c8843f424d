import { assert } from '../domain/assert.ts';
import { StoreError } from '../engine/store-error.ts';
import { type BoardClock, type BoardFacts, boardToRow, hasTime, rowToBoard } from './board-row.ts';
import type { LedgerWriter } from './ledger-writer.ts';
import type { OperationTable } from './operation-table.ts';
import type { Statements } from './statements.ts';
import type { Terms } from './terms.ts';

/** Where nobody knows which terms were used, they go on from a number that grows faster than they. */
const SECOND_MS = 1000;

interface Parts {
  readonly statements: Statements;
  readonly clock: BoardClock;
  readonly terms: Terms;
  readonly writer: LedgerWriter;
  readonly operations: OperationTable;
  /** Whether the file still has the form that this release knows. */
  readonly isCurrent: () => boolean;
}

/**
 * The right of one store to write, and the row that says whose it is. Each transaction begins with a
 * look at it, and one that wrote something ends with what is so then: the time, the last term, and
 * how much there is.
 */
export class Tenure {
  readonly #parts: Parts;
  #number: number | undefined;
  /** What the writer remembers may not be so any more. */
  #hasForgotten = true;
  #baseRevision = 0;
  #before: BoardFacts | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get hasBegun(): boolean {
    return this.#number !== undefined;
  }

  get isLatest(): boolean {
    return this.#number === this.board().tenure;
  }

  board(): BoardFacts {
    const row = this.#parts.statements.board.get();
    assert(row !== undefined, 'the board has a row');
    return rowToBoard(row);
  }

  /** The clock goes on from whatever was written last. */
  resumeClock(): BoardFacts {
    const board = this.board();
    if (hasTime(board)) this.#parts.clock.resume(board);
    return board;
  }

  /** Answers with its number; it holds once that is written. */
  begin(): number {
    const { clock, terms, statements } = this.#parts;
    this.#refuseNewer();
    const board = this.resumeClock();
    const floor = Math.floor(clock.now() / SECOND_MS);
    const { tenure, term } = terms.begin(board, floor);
    statements.updateBoard.run(boardToRow({ ...board, ...clock.save(), tenure, term }));
    return tenure;
  }

  hold(number: number): void {
    this.#number = number;
    this.#hasForgotten = true;
  }

  /** Throws where somebody else has begun one since. */
  check(): void {
    const { writer, operations } = this.#parts;
    this.#refuseNewer();
    const board = this.board();
    if (this.#number !== board.tenure)
      throw new StoreError(
        'deposed',
        'Another Interlock process decides for this board now. This one must not write to it.',
      );
    if (this.#hasForgotten) writer.forget();
    this.#hasForgotten = false;
    operations.last = board.operation;
    this.#baseRevision = board.baseRevision;
    this.#before = board;
  }

  #refuseNewer(): void {
    if (this.#parts.isCurrent()) return;
    throw new StoreError(
      'newer',
      'A newer version of Interlock has taken over the state of this board. Start Interlock again here, or update it.',
    );
  }

  rebased(revision: number): void {
    this.#baseRevision = revision;
  }

  /** Answers whether there was anything to write; then the disk is written to anyway. */
  save(): boolean {
    const { writer, operations, clock, terms, statements } = this.#parts;
    const before = this.#before;
    const extent = {
      sequence: writer.lastSequence,
      baseRevision: this.#baseRevision,
      operation: operations.last,
    };
    const isSame =
      extent.sequence === before?.sequence &&
      extent.baseRevision === before.baseRevision &&
      extent.operation === before.operation;
    if (isSame || this.#number === undefined) return false;
    const board = { ...clock.save(), ...extent, tenure: this.#number, term: terms.last };
    statements.updateBoard.run(boardToRow(board));
    return true;
  }

  forget(): void {
    this.#hasForgotten = true;
  }
}
