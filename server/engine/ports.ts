import type { RunId, TaskId } from '../domain/ids.ts';
import type { Run, RunManifest, RunOutcome, RunPolicy } from '../domain/run.ts';
import type {
  Failure,
  ProcessIdentity,
  TaskDefinition,
  TaskEvent,
  TaskState,
  Transition,
} from '../domain/task.ts';
import type { Instant } from '../domain/time.ts';
import type { Decision } from '../scheduler/decision.ts';

/** Every effect the engine can have on the world, and every fact it can learn, is on this page. */

/** Never goes back, and goes on where the system's clock was set back. */
export interface Clock {
  now(): Instant;
}

export interface Ids {
  runId(now: Instant): RunId;
}

/** Each method is one transaction. It either happened whole, or it threw and nothing happened. */
export interface Store {
  /** Unfinished runs, the oldest first. */
  unfinishedRuns(): readonly Run[];
  /** Writes a new run with all its tasks pending, and ends those it takes the place of. */
  submit(manifest: RunManifest, supersedes: readonly RunId[]): void;
  /**
   * Re-checks each decision, mints terms, writes the ledger; answers with those that stand. What is
   * about no task and no run, or changes neither, is not kept yet and does not stand.
   */
  commit(decisions: readonly Decision[], now: Instant): readonly CommittedDecision[];
  /** Writes what happened to a claimed task; refused when the term is no longer the current one. */
  record(run: RunId, task: TaskId, event: TaskEvent): Transition;
  /** Nobody carries an unfinished run on any more, until somebody asks for it again. */
  interrupt(run: RunId, now: Instant): void;
  /** The run goes on as it was asked for last. */
  resume(run: RunId, policy: RunPolicy, now: Instant): void;
  /** Each task of a folder as it stands in the newest run that has it. */
  latestStates(root: string): readonly TaskRecord[];
  /** Ledger entries after a sequence number, the oldest first; at most `limit`. */
  eventsAfter(sequence: number, limit: number): readonly LedgerEntry[];
  lastSequence(): number;
  /** Calls back when another process may have written; may call too often, never too seldom. */
  watch(onHint: () => void): Disposable;
  close(): void;
}

export type CommittedDecision =
  | (Extract<Decision, { kind: 'claim' }> & { readonly term: number })
  | Exclude<Decision, { kind: 'claim' }>;

export interface TaskRecord {
  readonly run: RunId;
  readonly plan: string;
  readonly task: TaskId;
  readonly state: TaskState;
  readonly runStatus: 'active' | 'interrupted' | 'finished';
}

export interface LedgerEntry {
  readonly sequence: number;
  readonly at: Instant;
  readonly run: RunId;
  readonly what: LedgerEvent;
}

export type LedgerEvent =
  | { readonly kind: 'runSubmitted' | 'runInterrupted' | 'runResumed' }
  | { readonly kind: 'runFinished'; readonly outcome: RunOutcome }
  | { readonly kind: 'taskMoved'; readonly task: TaskId; readonly event: TaskEvent };

/** The right to decide for a board. The operating system takes it from a process that dies. */
export interface BoardLock {
  acquire(): LockResult;
}

export type LockResult =
  | { readonly kind: 'acquired'; readonly lock: Disposable }
  | { readonly kind: 'held'; readonly holder: string };

export interface Runner {
  start(launch: Launch): RunningCommand;
  /** Stops what is left of a command that a process before this one started, if anything is. */
  stopLeftover(leftover: Leftover): Promise<void>;
}

export interface Leftover {
  readonly run: RunId;
  readonly term: number;
  /** Absent when that process died between starting the command and recording it. */
  readonly process: ProcessIdentity | undefined;
}

export interface Launch {
  readonly root: string;
  readonly definition: TaskDefinition;
  readonly run: RunId;
  readonly attempt: number;
  readonly term: number;
}

export interface RunningCommand {
  /** Absent when the command could not be started; `ended` then says why. */
  readonly process: ProcessIdentity | undefined;
  readonly ended: Promise<CommandEnd>;
  /** Asks the whole process group to stop, then forces it. Settles `ended`. */
  stop(): void;
}

export type CommandEnd =
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** Whoever shows the board. Told after the store has it, never before. */
export interface Listener {
  changed(): void;
  /** The store or the program failed; nothing more starts until the board is opened again. */
  faulted(error: unknown): void;
}
