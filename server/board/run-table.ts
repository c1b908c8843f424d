import type { RunId } from '../domain/ids.ts';
import type { RunManifest, RunOutcome } from '../domain/run.ts';
import type { Instant } from '../domain/time.ts';
import type { LedgerEntry, RunRecord, RunStatus } from '../engine/store-port.ts';
import type { BoardTask } from './board-task.ts';
import type { OpenBoard } from './ports.ts';
import type { TaskChanges } from './task-table.ts';
import type { TaskStatus } from './task-status.ts';

type RunTally = Readonly<Record<TaskStatus['kind'], number>>;

/** One run, as far as its tasks are in no newer one. */
export interface BoardRun {
  readonly id: RunId;
  readonly plan: string;
  readonly requestedBy: string;
  readonly requestedAt: Instant;
  readonly status: RunStatus | 'stopping' | 'paused';
  readonly outcome: RunOutcome | undefined;
  readonly finishedAt: Instant | undefined;
  readonly tally: RunTally;
}

export interface RunChanges {
  readonly changed: readonly BoardRun[];
  readonly removed: readonly RunId[];
}

const NO_TALLY: RunTally = {
  idle: 0,
  blocked: 0,
  interrupted: 0,
  waiting: 0,
  ready: 0,
  claimed: 0,
  running: 0,
  attention: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
  skipped: 0,
};

/** How many runs are read at once to find one that has ended. */
const READ = [10, 50, 200];

type Facts = Omit<BoardRun, 'status' | 'tally'>;

/** The runs of the tasks of a folder, counted as these change. */
export class RunTable {
  readonly #tallies = new Map<RunId, Record<TaskStatus['kind'], number>>();
  readonly #ended = new Map<RunId, Facts>();
  readonly #due = new Set<RunId>();
  readonly #told = new Set<RunId>();

  /** Something else has changed than what the ledger says. */
  forget(): void {
    for (const run of this.#told) this.#due.add(run);
  }

  heed(entries: readonly LedgerEntry[]): void {
    for (const { event } of entries) {
      if ('run' in event && /^run[A-Z]/.test(event.kind)) this.#due.add(event.run);
      if (event.kind === 'boardPaused' || event.kind === 'boardResumed') this.forget();
    }
  }

  count({ changed, removed }: TaskChanges): void {
    for (const { before, now } of changed) {
      this.#add(before, -1);
      this.#add(now, 1);
    }
    for (const task of removed) this.#add(task, -1);
  }

  take(open: OpenBoard | undefined): RunChanges {
    const removed: RunId[] = [];
    const changed: BoardRun[] = [];
    if (open !== undefined) this.#findEnded(open);
    for (const run of this.#due) {
      const view = open && this.#runOf(run, open);
      if (view !== undefined) {
        changed.push(view);
        this.#told.add(run);
      } else if (this.#told.delete(run)) removed.push(run);
    }
    this.#due.clear();
    return { changed, removed };
  }

  #add(task: BoardTask | undefined, by: number): void {
    const run = task?.record?.run;
    if (task === undefined || run === undefined) return;
    const tally = this.#tallies.get(run) ?? { ...NO_TALLY };
    tally[task.status.kind] += by;
    this.#tallies.set(run, tally);
    this.#due.add(run);
  }

  #runOf(run: RunId, { keeper: { board } }: OpenBoard): BoardRun | undefined {
    const tally = this.#tallies.get(run);
    if (tally === undefined || Object.values(tally).every((count) => count === 0)) {
      this.#tallies.delete(run);
      this.#ended.delete(run);
      return undefined;
    }
    const live = board.runs.get(run);
    if (live !== undefined) {
      const isPaused = board.isPaused ? 'paused' : 'active';
      const going = live.isStopping ? 'stopping' : isPaused;
      const status = live.isInterrupted ? 'interrupted' : going;
      return { ...factsOf(live.manifest), status, tally: { ...tally } };
    }
    const ended = this.#ended.get(run);
    return ended && { ...ended, status: 'finished', tally: { ...tally } };
  }

  /** Read from the store once; of a run that has ended nothing but the count changes. */
  #findEnded({ keeper: { board }, store }: OpenBoard): void {
    const isMissing = (run: RunId): boolean =>
      !board.runs.has(run) && !this.#ended.has(run) && this.#tallies.has(run);
    for (const most of READ) {
      if (![...this.#due].some(isMissing)) return;
      for (const record of store.runs(most))
        if (isMissing(record.manifest.id)) this.#ended.set(record.manifest.id, endOf(record));
    }
  }
}

function factsOf({ id, plan, requestedBy, requestedAt }: RunManifest): Facts {
  return { id, plan, requestedBy, requestedAt, outcome: undefined, finishedAt: undefined };
}

function endOf({ manifest, outcome, finishedAt }: RunRecord): Facts {
  return { ...factsOf(manifest), outcome, finishedAt };
}
