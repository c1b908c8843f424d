import type { RunId, TaskId } from '../domain/ids.ts';
import type { RunManifest, RunOutcome } from '../domain/run.ts';
import type { TaskState } from '../domain/task.ts';
import type { Instant } from '../domain/time.ts';
import type { ClaimDecision, Decision } from '../scheduler/decision.ts';
import type { BoardEvent } from '../scheduler/model/board-event.ts';
import type { Observation } from '../scheduler/model/observed.ts';

/**
 * The board on disk: an append-only ledger, and the tables that follow from it.
 *
 * Each method is one transaction: it happened whole, or it threw a `StoreError` and nothing happened.
 * No method takes a time: the store has its own clock, the only one that leases are measured by.
 * Only whoever began the latest tenure writes; a write of an earlier one throws `deposed`.
 */
export interface Store {
  /** All of the board: what it was at its base, and what has happened since. */
  snapshot(): Snapshot;
  /** From now on this store writes, and whoever did before does not. */
  beginTenure(): number;
  /** What is written in it stands together or not at all, and reaches the disk together. */
  together<T>(write: () => T): T;
  /**
   * Re-checks each decision against the state its task has by now, mints terms, writes the ledger;
   * answers with those that stand. A decision whose key is in the ledger does not stand again.
   */
  commit(turn: number, decisions: readonly Decision[]): readonly CommittedDecision[];
  /** A worker's own claim. The same operation is granted once, and answered the same way for ever. */
  claim(write: ClaimWrite): ClaimOutcome;
  /** What keeps a claim alive; refused when the term is not the current one or the lease is over. */
  renew(write: HolderWrite): HolderOutcome;
  /** What ends or changes a claim, by the same rule; the same operation counts once. */
  settle(write: HolderWrite & { readonly operation?: string }): HolderOutcome;
  /**
   * What else has happened. All of the events or none: refused when one does not fit the facts. Whoever
   * asks for the operation again is answered with the grant, where there is one.
   */
  record(events: readonly BoardEvent[], operation?: string, grant?: Grant): RecordOutcome;
  /** Whether an operation whose answer never arrived was applied, and what came of it. */
  resolve(operation: string): ResolveOutcome;
  /** Whether no later tenure has begun. Nothing is written for it. */
  isLatest(): boolean;
  /**
   * The facts of the whole board at this revision take the place of the ledger before it. Of the
   * ledger only what people still want to read is kept: that of unfinished runs and of the newest.
   * Answers with the runs of which nothing is known any more.
   */
  rebase(facts: unknown): readonly RunId[];

  /**
   * Ledger entries after a sequence number, the oldest first; at most `limit`. No more of them are read
   * once they take more than `length` characters; absent: however long they are.
   */
  events(after: number, limit: number, length?: number): readonly LedgerEntry[];
  eventsOfRun(run: RunId, after: number, limit: number): readonly LedgerEntry[];
  /** What was seen of the tasks of a run, the oldest first; no more than are shown. */
  observationsOf(run: RunId): readonly Observation[];
  lastSequence(): number;
  /** The newest first. */
  runs(limit: number): readonly RunRecord[];
  /** Each task of a run as it stands, in the order of its manifest. */
  statesOf(run: RunId): ReadonlyMap<TaskId, TaskState>;
  /** Each task of a folder as it stands in the newest run that has it. */
  latestStates(root: string): readonly TaskRecord[];
  /** Calls back when another process may have written; may call too often, never too seldom. */
  watch(onHint: () => void): Disposable;
  close(): void;
}

export interface Snapshot {
  /** The sequence number of the last entry. */
  readonly revision: number;
  readonly nowAt: Instant;
  readonly tenure: number;
  /** The last term that was minted. */
  readonly term: number;
  /** What `rebase` was given last, if it ever was. */
  readonly base: unknown;
  /** All entries after the base, the oldest first. */
  readonly entries: readonly LedgerEntry[];
}

/** One line of the ledger. Sequence numbers have no gaps. */
export interface LedgerEntry {
  readonly sequence: number;
  readonly event: BoardEvent;
  /** Absent for what somebody said or did; decisions of one turn were taken together. */
  readonly decided?: { readonly turn: number; readonly decision: Decision };
}

export interface CommittedDecision {
  readonly decision: Decision;
  readonly entry: LedgerEntry;
}

export interface ClaimWrite {
  readonly operation: string;
  readonly decision: ClaimDecision;
}

export type ClaimOutcome =
  | { readonly kind: 'granted'; readonly grant: Grant; readonly entry: LedgerEntry }
  /** The operation was granted before. */
  | { readonly kind: 'repeated'; readonly grant: Grant }
  | { readonly kind: 'refused' };

export interface Grant {
  readonly run: RunId;
  readonly task: TaskId;
  readonly term: number;
  /** Absent: until released. */
  readonly leaseMs?: number;
}

/** What the holder of a claim says, as events: of its task, and what follows for others. */
export interface HolderWrite {
  readonly run: RunId;
  readonly task: TaskId;
  readonly term: number;
  readonly events: readonly BoardEvent[];
}

export type HolderOutcome =
  | { readonly kind: 'accepted'; readonly entries: readonly LedgerEntry[] }
  | { readonly kind: 'repeated' }
  | { readonly kind: 'stale'; readonly currentTerm: number | undefined };

export type RecordOutcome =
  | { readonly kind: 'recorded'; readonly entries: readonly LedgerEntry[] }
  | { readonly kind: 'repeated' }
  | { readonly kind: 'refused' };

export type ResolveOutcome =
  | { readonly kind: 'applied'; readonly grant?: Grant }
  | { readonly kind: 'never-applied' };

export interface RunRecord {
  readonly manifest: RunManifest;
  readonly status: RunStatus;
  readonly outcome: RunOutcome | undefined;
  readonly finishedAt: Instant | undefined;
}

export type RunStatus = 'active' | 'interrupted' | 'finished';

export interface TaskRecord {
  readonly run: RunId;
  readonly plan: string;
  readonly task: TaskId;
  readonly state: TaskState;
  readonly runStatus: RunStatus;
}
