import path from 'node:path';
import type { Database } from 'better-sqlite3';
import { firstBoardFile } from '../domain/board-file-name.ts';
import type { RunId, TaskId } from '../domain/ids.ts';
import type { TaskState } from '../domain/task.ts';
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
  RunRecord,
  Snapshot,
  Store,
  TaskRecord,
} from '../engine/store-port.ts';
import { StoreError } from '../engine/store-error.ts';
import type { Decision } from '../scheduler/decision.ts';
import type { BoardEvent } from '../scheduler/model/board-event.ts';
import { isObservation, type Observation, OBSERVATION_LIMIT } from '../scheduler/model/observed.ts';
import { Bell } from './bell.ts';
import { BoardCopy } from './board-copy.ts';
import type { BoardClock } from './board-row.ts';
import { isDamage, markSuspect, openBoardDatabase, worldError } from './database.ts';
import { FileIdentity, type FileSystemOf, fileSystemOf, refuseNetwork } from './file-system.ts';
import { lengthOf, rowToEntry } from './ledger-rows.ts';
import { latestStatesOf } from './latest-states.ts';
import { LedgerWriter, statesIn } from './ledger-writer.ts';
import { migrate, stillCurrent } from './migrate.ts';
import { OperationTable } from './operation-table.ts';
import { Rebase } from './rebase.ts';
import { type Move, relocate } from './relocate.ts';
import { rowToRecord } from './run-rows.ts';
import { prepareStatements, type Statements } from './statements.ts';
import { termsFileOf } from './term-reserve.ts';
import { Tenure } from './tenure.ts';
import { Terms } from './terms.ts';
import { Transactions } from './transactions.ts';
import { watchOthers } from './watch-others.ts';
import { type Books, claimTask, commitDecision, refusedHolder } from './write-rules.ts';

export interface StoreOptions {
  readonly clock: BoardClock;
  readonly fileSystemOf?: FileSystemOf;
}

/**
 * For so long this process waits for another one that writes, and does nothing else. Less than the time
 * after which a silent process is taken over, and much more than any transaction takes.
 */
const BUSY_MS = 2000;
const BEGIN_BUSY_MS = 500;

/**
 * The board in one SQLite file. Every entry of the ledger and what follows from it are written in one
 * transaction, and so is the time of it: whoever comes next goes on from there.
 */
export class SqliteStore implements Store {
  readonly #database: Database;
  readonly #statements: Statements;
  readonly #transactions: Transactions;
  readonly #tenure: Tenure;
  readonly #writer: LedgerWriter;
  readonly #operations: OperationTable;
  readonly #rebase: Rebase;
  readonly #terms: Terms;
  readonly #bell: Bell;
  readonly #clock: BoardClock;
  readonly #files: readonly FileIdentity[];
  readonly #copy: BoardCopy;
  #hasNews = false;
  /** Where a damaged file was moved to when this store was opened. */
  readonly movedAside: string | undefined;

  constructor(file: string, { clock, fileSystemOf: fileSystem = fileSystemOf }: StoreOptions) {
    refuseNetwork(file, fileSystem);
    const { database, movedAside } = openBoardDatabase(file);
    // Copies of a board share what lies beside it.
    const first = path.join(path.dirname(file), firstBoardFile(path.basename(file)));
    this.#database = database;
    this.movedAside = movedAside;
    this.#clock = clock;
    try {
      migrate(database);
      database.pragma(`busy_timeout = ${BUSY_MS}`);
      this.#statements = prepareStatements(database);
      this.#operations = new OperationTable(database, this.#statements);
      this.#rebase = new Rebase(database, this.#statements);
      this.#writer = new LedgerWriter(this.#statements);
      this.#terms = new Terms(termsFileOf(file), { isReplaced: movedAside !== undefined });
      this.#tenure = new Tenure({
        statements: this.#statements,
        clock,
        terms: this.#terms,
        writer: this.#writer,
        operations: this.#operations,
        isCurrent: stillCurrent(database),
      });
      this.#transactions = new Transactions(database, {
        before: () => this.#refuseReplaced(),
        begun: () => this.#tenure.check(),
        ending: () => {
          this.#hasNews = this.#tenure.save();
        },
        rolledBack: () => this.#tenure.forget(),
        undone: () => this.#writer.forget(),
      });
      this.#tenure.resumeClock();
      this.#files = [file, `${file}-wal`].map((name) => new FileIdentity(name));
      this.#copy = new BoardCopy(file);
      this.#bell = new Bell(`${first}-bell`);
    } catch (error) {
      database.close();
      throw this.#said(error);
    }
  }

  snapshot(): Snapshot {
    return this.#read(() =>
      this.#database.transaction((): Snapshot => {
        const { tenure, term } = this.#tenure.board();
        const { revision: after, facts: base } = this.#rebase.read();
        const entries = this.#statements.eventsAfter.all({ after, limit: -1 }).map(rowToEntry);
        const revision = this.#statements.lastSequence.get()?.sequence ?? 0;
        return { revision, nowAt: this.#clock.now(), tenure, term, base, entries };
      })(),
    );
  }

  beginTenure(): number {
    this.#copy.forgetPlan();
    this.#refuseReplaced();
    return this.#read(() => {
      const begin = this.#database.transaction(() => this.#tenure.begin());
      const number = this.#soon(() => begin.immediate());
      this.#tenure.hold(number);
      this.#bell.ring();
      return number;
    });
  }

  together<T>(write: () => T): T {
    return this.#write(write);
  }

  commit(turn: number, decisions: readonly Decision[]): readonly CommittedDecision[] {
    return this.#write(() => {
      const books = this.#books();
      return decisions.flatMap((decision) => commitDecision(books, turn, decision) ?? []);
    });
  }

  claim(write: ClaimWrite): ClaimOutcome {
    return this.#write(() => claimTask(this.#books(), write));
  }

  renew(write: HolderWrite): HolderOutcome {
    return this.settle(write);
  }

  settle(write: HolderWrite & { readonly operation?: string }): HolderOutcome {
    const { operation, events } = write;
    return this.#write((): HolderOutcome => {
      if (this.#isRepeated(operation)) return { kind: 'repeated' };
      const refused = refusedHolder(this.#books(), write);
      if (refused !== undefined) return refused;
      const entries = this.#append(events);
      if (entries === undefined) return { kind: 'stale', currentTerm: write.term };
      this.#remember(operation);
      return { kind: 'accepted', entries };
    });
  }

  record(events: readonly BoardEvent[], operation?: string, grant?: Grant): RecordOutcome {
    return this.#write((): RecordOutcome => {
      if (this.#isRepeated(operation)) return { kind: 'repeated' };
      const entries = this.#append(events);
      if (entries === undefined) return { kind: 'refused' };
      this.#remember(operation, grant);
      return { kind: 'recorded', entries };
    });
  }

  isLatest(): boolean {
    return this.#read(() => !this.#isLeftBehind && this.#tenure.isLatest);
  }

  /** The board has gone on in a copy: this store neither shows nor writes it any more. */
  hasCopy(): boolean {
    return this.#copy.isThere;
  }

  /** The board goes on in a copy, because a suspended process keeps all others from writing to this file. */
  makeCopy(mayPublish: () => boolean): void {
    this.#read(() => this.#copy.make(this.#database, mayPublish));
  }

  resolve(operation: string): ResolveOutcome {
    const result = this.#read(() => this.#operations.find(operation));
    return result === undefined ? { kind: 'never-applied' } : { kind: 'applied', ...result };
  }

  rebase(facts: unknown): readonly RunId[] {
    return this.#write(() => {
      const revision = this.#writer.lastSequence;
      this.#tenure.rebased(revision);
      return this.#rebase.write(facts, revision);
    });
  }

  events(after: number, limit: number, length = Infinity): readonly LedgerEntry[] {
    return this.#read(() => {
      const entries: LedgerEntry[] = [];
      let read = 0;
      for (const row of this.#statements.eventsAfter.iterate({ after, limit })) {
        entries.push(rowToEntry(row));
        read += lengthOf(row);
        if (read > length) break;
      }
      return entries;
    });
  }

  eventsOfRun(run: RunId, after: number, limit: number): readonly LedgerEntry[] {
    return this.#read(() =>
      this.#statements.eventsOfRun.all({ run, after, limit }).map(rowToEntry),
    );
  }

  observationsOf(run: RunId): readonly Observation[] {
    const page = { run, limit: OBSERVATION_LIMIT };
    const rows = this.#read(() => this.#statements.observationsOf.all(page));
    return rows.map((row) => rowToEntry(row).event).filter(isObservation);
  }

  lastSequence(): number {
    return this.#read(() => this.#statements.lastSequence.get()?.sequence ?? 0);
  }

  runs(limit: number): readonly RunRecord[] {
    return this.#read(() => this.#statements.runs.all({ limit }).map(rowToRecord));
  }

  statesOf(run: RunId): ReadonlyMap<TaskId, TaskState> {
    return this.#read(() => statesIn(this.#statements, run));
  }

  latestStates(root: string): readonly TaskRecord[] {
    return this.#read(() =>
      this.#database.transaction(() => latestStatesOf(this.#statements, root))(),
    );
  }

  /** The working tree of the board has another path now. Only whoever holds the board's lock may say so. */
  relocate(move: Move): void {
    this.#read(() => relocate(this.#database, this.#statements, move));
    this.#bell.ring();
  }

  watch(onHint: () => void): Disposable {
    const hasCopy = (): boolean => this.hasCopy();
    return watchOthers({ database: this.#database, bell: this.#bell.file, hasCopy }, onHint);
  }

  close(): void {
    if (!this.#database.open) return;
    this.#letGo();
    this.#database.close();
    this.#bell.close();
  }

  /** Whoever comes next finds nothing to clear up, where that can be had now. */
  #letGo(): void {
    try {
      this.#database.pragma('busy_timeout = 0');
      if (this.#tenure.hasBegun && this.#isSameFile && !this.#isLeftBehind)
        this.#transactions.run(() => this.#terms.finish());
      this.#database.pragma('wal_checkpoint(TRUNCATE)');
    } catch {
      // It is looked through when it is opened again, and a few terms are left out.
    }
  }

  /** The process that would begin a tenure tries again anyway, and others wait for it. */
  #soon<T>(write: () => T): T {
    this.#database.pragma(`busy_timeout = ${BEGIN_BUSY_MS}`);
    try {
      return write();
    } finally {
      this.#database.pragma(`busy_timeout = ${BUSY_MS}`);
    }
  }

  #books(): Books {
    return {
      writer: this.#writer,
      operations: this.#operations,
      now: this.#clock.now(),
      mintTerm: () => this.#terms.mint(),
    };
  }

  #append(events: readonly BoardEvent[]): readonly LedgerEntry[] | undefined {
    if (events.length > 1) return this.#transactions.attempt(() => this.#writeAll(events));
    // One that does not fit writes nothing by itself.
    return this.#writeAll(events);
  }

  #writeAll(events: readonly BoardEvent[]): readonly LedgerEntry[] | undefined {
    const entries: LedgerEntry[] = [];
    for (const event of events) {
      const entry = this.#writer.write(event);
      if (entry === undefined) return undefined;
      entries.push(entry);
    }
    return entries;
  }

  #isRepeated(operation: string | undefined): boolean {
    return operation !== undefined && this.#operations.find(operation) !== undefined;
  }

  #remember(operation: string | undefined, grant?: Grant): void {
    if (operation === undefined) return;
    const at = this.#clock.now();
    this.#operations.add(operation, grant === undefined ? { at } : { at, grant });
  }

  #write<T>(write: () => T): T {
    const result = this.#read(() => this.#transactions.run(write));
    if (!this.#hasNews || this.#database.inTransaction) return result;
    this.#hasNews = false;
    this.#bell.ring();
    return result;
  }

  #refuseReplaced(): void {
    // Somebody leaves while others still ask.
    if (!this.#database.open) throw new StoreError('deposed', 'This process has left the board.');
    if (this.#isLeftBehind)
      throw new StoreError(
        'deposed',
        'Another process has moved the board to a copy of its database.',
      );
    if (this.#isSameFile) return;
    throw new StoreError(
      'gone',
      `${this.#database.name} was deleted or replaced while Interlock had it open. Start Interlock again, and reload editor windows.`,
    );
  }

  get #isLeftBehind(): boolean {
    return this.#copy.isThere || this.#copy.isPlanned;
  }

  get #isSameFile(): boolean {
    return this.#files.every(({ isSame }) => isSame);
  }

  #read<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw this.#said(error);
    }
  }

  #said(error: unknown): unknown {
    const file = this.#database.name;
    if (isDamage(error)) markSuspect(file);
    return worldError(error, file);
  }
}
