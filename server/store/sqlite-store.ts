import { watch } from 'node:fs';
import type { Database } from 'better-sqlite3';
import type { RunId, TaskId } from '../domain/ids.ts';
import type { Run, RunManifest, RunPolicy } from '../domain/run.ts';
import {
  NEW_TASK,
  type TaskEvent,
  type TaskState,
  transition,
  type Transition,
} from '../domain/task.ts';
import type { Instant } from '../domain/time.ts';
import type {
  CommittedDecision,
  LedgerEntry,
  LedgerEvent,
  Store,
  TaskRecord,
} from '../engine/ports.ts';
import {
  type Decision,
  eventOf,
  type FinishDecision,
  type TaskDecision,
} from '../scheduler/decision.ts';
import { Bell } from './bell.ts';
import { openBoardDatabase, worldError } from './database.ts';
import { migrate } from './migrate.ts';
import { rowToState, stateToRow, textToLedgerEvent, textToManifest } from './rows.ts';
import { type LatestRow, prepareStatements, type Statements } from './statements.ts';

/**
 * The board's state and ledger in one SQLite file. Every change of a state and the ledger entry
 * that tells of it are written in the same transaction.
 */
export class SqliteStore implements Store {
  readonly #database: Database;
  readonly #statements: Statements;
  readonly #bell: Bell;
  readonly #manifests = new Map<RunId, { text: string; manifest: RunManifest }>();
  /** Where a damaged file was moved to when this store was opened. */
  readonly movedAside: string | undefined;

  constructor(file: string) {
    const { database, movedAside } = openBoardDatabase(file);
    this.#database = database;
    this.movedAside = movedAside;
    try {
      migrate(database);
      this.#statements = prepareStatements(database);
      this.#bell = new Bell(`${file}-bell`);
    } catch (error) {
      database.close();
      throw worldError(error, file);
    }
  }

  unfinishedRuns(): readonly Run[] {
    return this.#read(() =>
      this.#statements.unfinishedRuns.all().map(({ id, manifest }) => ({
        manifest: this.#manifestOf(id, manifest),
        states: new Map(
          this.#statements.tasksOfRun.all({ run: id }).map((row) => [row.task_id, rowToState(row)]),
        ),
      })),
    );
  }

  submit(manifest: RunManifest, supersedes: readonly RunId[]): void {
    this.#write(() => {
      const { id, root, plan, requestedAt } = manifest;
      for (const run of supersedes) this.#supersede(run, requestedAt);
      this.#statements.insertRun.run({
        id,
        root,
        plan,
        manifest: JSON.stringify(manifest),
        requestedAt,
      });
      for (const [position, task] of manifest.tasks.entries())
        this.#statements.insertTask.run({
          run: id,
          position,
          task: task.id,
          ...stateToRow(NEW_TASK),
        });
      this.#append(id, requestedAt, { kind: 'runSubmitted' });
    });
  }

  commit(decisions: readonly Decision[], now: Instant): readonly CommittedDecision[] {
    return this.#write(() => decisions.flatMap((decision) => this.#commitOne(decision, now) ?? []));
  }

  record(run: RunId, task: TaskId, event: TaskEvent): Transition {
    return this.#write(() => {
      const row = this.#statements.taskOfRun.get({ run, task });
      if (row === undefined) return { kind: 'refused', why: 'out-of-order' };
      return this.#move({ run, task, state: rowToState(row) }, event);
    });
  }

  interrupt(run: RunId, now: Instant): void {
    this.#write(() => {
      if (this.#statements.interruptRun.run({ run, now }).changes > 0)
        this.#append(run, now, { kind: 'runInterrupted' });
    });
  }

  resume(run: RunId, policy: RunPolicy, now: Instant): void {
    this.#write(() => {
      if (this.#statements.resumeRun.run({ run, policy: JSON.stringify(policy) }).changes > 0)
        this.#append(run, now, { kind: 'runResumed' });
    });
  }

  latestStates(root: string): readonly TaskRecord[] {
    return this.#read(() =>
      this.#statements.latestStates.all({ root }).map((row) => ({
        run: row.run_id,
        plan: row.plan,
        task: row.task_id,
        state: rowToState(row),
        runStatus: runStatusOf(row),
      })),
    );
  }

  eventsAfter(sequence: number, limit: number): readonly LedgerEntry[] {
    return this.#read(() =>
      this.#statements.eventsAfter.all({ sequence, limit }).map((row) => ({
        sequence: row.sequence,
        at: row.at,
        run: row.run_id,
        what: textToLedgerEvent(row.what),
      })),
    );
  }

  lastSequence(): number {
    return this.#read(() => this.#statements.lastSequence.get()?.sequence ?? 0);
  }

  /** Only another process's commit is news: this one knows of its own. */
  watch(onHint: () => void): Disposable {
    const dataVersion = (): unknown => this.#database.pragma('data_version', { simple: true });
    let seen = dataVersion();
    const watcher = watch(this.#bell.file, () => {
      if (!this.#database.open) return;
      const version = dataVersion();
      if (version === seen) return;
      seen = version;
      onHint();
    });
    // Watching is a convenience: without it the view is right again at the next change of our own.
    watcher.on('error', () => watcher.close());
    return { [Symbol.dispose]: () => watcher.close() };
  }

  close(): void {
    if (!this.#database.open) return;
    this.#database.close();
    this.#bell.close();
  }

  /** Read again only when its text has changed: a manifest has all the tasks of its run. */
  #manifestOf(run: RunId, text: string): RunManifest {
    const known = this.#manifests.get(run);
    if (known?.text === text) return known.manifest;
    const manifest = textToManifest(text);
    this.#manifests.set(run, { text, manifest });
    return manifest;
  }

  #commitOne(decision: Decision, now: Instant): CommittedDecision | undefined {
    switch (decision.kind) {
      case 'finish':
        return this.#finish(decision, now) ? decision : undefined;
      case 'change-load':
      case 'cycle':
        // About no run, and the ledger is one of runs.
        return undefined;
      default:
        return this.#commitOfTask(decision, now);
    }
  }

  #finish({ run, outcome }: Pick<FinishDecision, 'run' | 'outcome'>, now: Instant): boolean {
    if (this.#statements.finishRun.run({ run, outcome, now }).changes === 0) return false;
    this.#manifests.delete(run);
    this.#append(run, now, { kind: 'runFinished', outcome });
    return true;
  }

  #commitOfTask(decision: TaskDecision, now: Instant): CommittedDecision | undefined {
    const { run, task } = decision;
    const row = this.#statements.taskOfRun.get({ run, task });
    if (row === undefined) return undefined;
    const state = rowToState(row);
    const mintTerm = (): number => this.#statements.nextTerm.get()?.term ?? 0;
    const event = eventOf(decision, state, { now, mintTerm });
    if (event === undefined) return undefined;
    if (this.#move({ run, task, state }, event).kind === 'refused') return undefined;
    if (decision.kind !== 'claim') return decision;
    return event.kind === 'taskClaimed' ? { ...decision, term: event.term } : undefined;
  }

  #move({ run, task, state }: PlacedState, event: TaskEvent): Transition {
    const result = transition(state, event);
    if (result.kind === 'refused') return result;
    this.#statements.updateTask.run({ run, task, ...stateToRow(result.state) });
    this.#append(run, event.at, { kind: 'taskMoved', task, event });
    return result;
  }

  #supersede(run: RunId, now: Instant): void {
    for (const row of this.#statements.tasksOfRun.all({ run })) {
      const state = rowToState(row);
      this.#move({ run, task: row.task_id, state }, { kind: 'taskCancelled', at: now });
    }
    this.#finish({ run, outcome: 'superseded' }, now);
  }

  #append(run: RunId, at: Instant, what: LedgerEvent): void {
    this.#statements.insertEvent.run({ run, at, what: JSON.stringify(what) });
  }

  #write<T>(transact: () => T): T {
    const result = this.#read(() => this.#database.transaction(transact).immediate());
    this.#bell.ring();
    return result;
  }

  #read<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw worldError(error, this.#database.name);
    }
  }
}

interface PlacedState {
  readonly run: RunId;
  readonly task: TaskId;
  readonly state: TaskState;
}

function runStatusOf(row: LatestRow): TaskRecord['runStatus'] {
  if (row.outcome !== null) return 'finished';
  return row.interrupted_at === null ? 'active' : 'interrupted';
}
