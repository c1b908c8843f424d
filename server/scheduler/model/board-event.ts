import type { LoadMode, LoadReading } from '../../domain/failure/load.ts';
import type { RunId, TaskId, WorkerId } from '../../domain/ids.ts';
import type { RunManifest, RunOutcome, RunPolicy } from '../../domain/run.ts';
import type { TaskDefinition, TaskEvent } from '../../domain/task.ts';
import type { Instant } from '../../domain/time.ts';
import type { CycleReport } from './cycle-report.ts';
import type { OwnerName, TaskAttempt } from './ownership.ts';
import type { Starvation } from './starvation-count.ts';
import type { Agent, Place, Worker } from './workers.ts';

/**
 * Everything that happens on a board. A ledger of these is the board: whoever applies all of them in
 * order has the same facts.
 */
export type BoardEvent =
  | RunEvent
  | TaskLevelEvent
  | OwnershipEvent
  | ObservationEvent
  | WorkerEvent
  | OwnEvent
  | { readonly kind: 'boardPaused' | 'boardResumed'; readonly at: Instant }
  | { readonly kind: 'loadChanged'; readonly at: Instant; readonly mode: LoadMode }
  | {
      readonly kind: 'loadMeasured';
      readonly at: Instant;
      readonly load: Omit<LoadReading, 'queued'>;
    }
  | { readonly kind: 'cycleRan'; readonly at: Instant; readonly report: CycleReport };

/** Whether the process that decides may start anything at all. */
export type Permission = 'granted' | 'untrusted' | 'shutting-down';

/** What concerns the process that decides. */
type OwnEvent =
  /** From now on it is this one. */
  | {
      readonly kind: 'tenureBegan';
      readonly at: Instant;
      readonly tenure: number;
      readonly name: string;
      readonly permission: Permission;
      /** From a process that was stopped and had not ended. */
      readonly isTakeover?: true;
    }
  | { readonly kind: 'permissionChanged'; readonly at: Instant; readonly permission: Permission };

type RunEvent =
  | { readonly kind: 'runSubmitted'; readonly at: Instant; readonly manifest: RunManifest }
  /** Its plan was edited and the edit is to reach it; whoever is held goes on as it began. */
  | {
      readonly kind: 'runRevised';
      readonly at: Instant;
      readonly run: RunId;
      readonly tasks: readonly TaskDefinition[];
    }
  | {
      readonly kind: 'runStopAsked' | 'runInterrupted';
      readonly at: Instant;
      readonly run: RunId;
    }
  /** It goes on as whoever asked for it last wants it. */
  | {
      readonly kind: 'runResumed';
      readonly at: Instant;
      readonly run: RunId;
      readonly policy?: Pick<RunPolicy, 'parallel' | 'failFast'>;
    }
  | {
      readonly kind: 'runFinished';
      readonly at: Instant;
      readonly run: RunId;
      readonly outcome: RunOutcome;
    };

type TaskLevelEvent =
  | {
      readonly kind: 'taskMoved';
      readonly run: RunId;
      readonly task: TaskId;
      readonly event: TaskEvent;
      /** Of a claim by the scheduler: the classes that contended for the turn, as a mask. */
      readonly contending?: number;
    }
  | {
      readonly kind: 'taskPaused' | 'taskResumed';
      readonly at: Instant;
      readonly run: RunId;
      readonly task: TaskId;
    }
  /** For whoever reads the ledger; no fact changes. */
  | {
      readonly kind: 'taskStarved';
      readonly at: Instant;
      readonly run: RunId;
      readonly task: TaskId;
      readonly cycles: number;
      readonly queuedMs: number;
    }
  | {
      readonly kind: 'workerRequested';
      readonly at: Instant;
      readonly run: RunId;
      readonly task: TaskId;
      readonly needs: readonly string[];
      readonly agent?: string;
    }
  | {
      readonly kind: 'starvationCounted';
      readonly at: Instant;
      readonly run: RunId;
      readonly task: TaskId;
      readonly starvation: Starvation;
    };

export type OwnershipEvent =
  | {
      readonly kind: 'pathsOwned';
      readonly at: Instant;
      readonly id: string;
      readonly worker: WorkerId;
      readonly tree: string;
      readonly reads: readonly string[];
      readonly writes: readonly string[];
      readonly isUnsaved: boolean;
      readonly isSaved?: boolean;
      /** Attempts that may start all the same. */
      readonly lets?: readonly TaskAttempt[];
      readonly until?: Instant;
    }
  | { readonly kind: 'pathsFreed'; readonly at: Instant; readonly id: string }
  /** Somebody would like to have a file that is taken; whoever has it hears of it. */
  | {
      readonly kind: 'releaseAsked';
      readonly at: Instant;
      readonly owner: OwnerName;
      /** Who asks. */
      readonly worker: WorkerId;
      /** From the top of the working tree. */
      readonly path: string;
    }
  /** It wrote what it had not declared, and owns that from now on. */
  | {
      readonly kind: 'undeclaredWritten';
      readonly at: Instant;
      readonly run: RunId;
      readonly task: TaskId;
      readonly term: number;
      readonly path: string;
    }
  /** A person says that they wrote these files, or that changes of them are of no interest. */
  | {
      readonly kind: 'writesDismissed';
      readonly at: Instant;
      readonly tree: string;
      /** From the top of the working tree. */
      readonly paths: readonly string[];
      /** The task that was running. */
      readonly of: { readonly run: RunId; readonly task: TaskId };
      /** Whether this holds for all tasks from now on, or for this one in this run. */
      readonly isForAll: boolean;
    }
  /** Nothing of a lost attempt is at work any more. */
  | {
      readonly kind: 'leftoverGone';
      readonly at: Instant;
      readonly run: RunId;
      readonly task: TaskId;
      readonly term: number;
    };

/** For whoever reads the ledger; no fact changes. */
type ObservationEvent =
  /** Several were at work, none of them had declared it, and nobody knows which of them it was. */
  | {
      readonly kind: 'writtenByOneOf';
      readonly at: Instant;
      readonly run: RunId;
      readonly by: readonly WriterName[];
      /** From the top of their working tree. */
      readonly paths: readonly string[];
    }
  /** Others have written what it reads, after it began. */
  | {
      readonly kind: 'inputChanged';
      readonly at: Instant;
      readonly run: RunId;
      readonly task: TaskId;
      readonly term: number;
      readonly paths: readonly string[];
      readonly by: readonly (WriterName | { readonly worker: WorkerId })[];
    }
  /** What a task writes changed while an agent without any right to it ran a shell command. */
  | {
      readonly kind: 'heldFilesChanged';
      readonly at: Instant;
      readonly run: RunId;
      readonly task: TaskId;
      readonly term: number;
      readonly holder: WorkerId;
      /** Whose shell command it was. */
      readonly worker: WorkerId;
      readonly tree: string;
      /** From the top of the working tree. */
      readonly paths: readonly string[];
    }
  /** The same of files that a worker has taken without a task. */
  | {
      readonly kind: 'takenFilesChanged';
      readonly at: Instant;
      readonly holder: WorkerId;
      readonly worker: WorkerId;
      readonly tree: string;
      readonly paths: readonly string[];
    };

/** One attempt at a task. */
export interface WriterName {
  readonly run: RunId;
  readonly task: TaskId;
  readonly term: number;
}

export type WorkerEvent =
  | { readonly kind: 'workerSeen'; readonly at: Instant; readonly worker: Worker }
  | { readonly kind: 'workerLeft'; readonly at: Instant; readonly worker: WorkerId }
  /** It is given nothing new, and goes on with what it has; until it is undrained. */
  | {
      readonly kind: 'workerDrained' | 'workerUndrained';
      readonly at: Instant;
      readonly worker: WorkerId;
    }
  | {
      readonly kind: 'workerWoken';
      readonly at: Instant;
      readonly run: RunId;
      readonly task: TaskId;
      readonly worker: WorkerId;
    }
  /** It knows now that it has lost these claims. */
  | {
      readonly kind: 'lossesTold';
      readonly at: Instant;
      readonly worker: WorkerId;
      readonly terms: readonly number[];
    }
  /** Who was woken when is forgotten, and nothing else. */
  | { readonly kind: 'wakesForgotten'; readonly at: Instant }
  | {
      readonly kind: 'placeSeen';
      readonly at: Instant;
      readonly place: Omit<Place, 'breaker' | 'runner'>;
    }
  /** It is not among the hosts any more. */
  | { readonly kind: 'placeGone'; readonly at: Instant; readonly place: string }
  | { readonly kind: 'agentGone'; readonly at: Instant; readonly agent: string }
  | {
      readonly kind: 'agentConfigured';
      readonly at: Instant;
      readonly agent: Omit<Agent, 'breaker' | 'coolDown'>;
    }
  | {
      readonly kind: 'agentLimited';
      readonly at: Instant;
      readonly agent: string;
      readonly retryAfterMs?: number;
    };
