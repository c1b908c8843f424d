import { isRunner } from '../scheduler/model/workers.ts';
import { isFinal, transition } from '../domain/task.ts';
import type { RunId, TaskId, WorkerId } from '../domain/ids.ts';
import { type Instant, isOver } from '../domain/time.ts';
import type { LedgerEntry, RunStatus, TaskRecord } from '../engine/store-port.ts';
import type { BoardEvent } from '../scheduler/model/board-event.ts';
import { isObservation, type Observed } from '../scheduler/model/observed.ts';
import type { TaskEntry } from '../scheduler/model/run-model.ts';
import type { BoardTask } from './board-task.ts';
import type { LoadedPlan } from './plan-set.ts';
import type { OpenBoard } from './ports.ts';
import { isSameStatus, statusIn } from './task-status.ts';
import { nowOn } from './writers-now.ts';

interface TableSources {
  readonly root: string;
  plans(): readonly LoadedPlan[];
  open(): OpenBoard | undefined;
  /** The person who reads the rows, where there is one. */
  reader(): WorkerId | undefined;
  observed(open: OpenBoard, run: RunId, task: TaskId): Observed | undefined;
}

/** What may look different since it was last asked for. */
export interface TaskChanges {
  readonly changed: readonly { readonly before: BoardTask | undefined; readonly now: BoardTask }[];
  readonly removed: readonly BoardTask[];
  /** There is more, which is not as urgent. */
  readonly isMore: boolean;
}

/**
 * The tasks of a folder as they were last looked at. News of the ledger say which of them are looked at
 * again: those that they name, those that wait for these, and those that only wait for their turn, which
 * anything may bring closer. The last ones may be all of them, so they are looked at a number at a time.
 *
 * Invariant: what it costs to look again does not grow with the number of tasks that nothing happened to.
 */
export class TaskTable {
  readonly #sources: TableSources;
  #rows = new Map<string, BoardTask>();
  #records = new Map<string, TaskRecord>();
  /** Pending, and nothing that they depend on is missing. */
  readonly #restless = new Set<string>();
  readonly #observed = new Set<string>();
  readonly #due = new Set<string>();
  readonly #later = new Set<string>();
  /** All that only wait for their turn are to be looked at, later. */
  #areStirred = false;
  /** What they wait for clears by itself then, and the ledger does not tell of it. */
  readonly #clearsAt = new Map<string, Instant>();
  #plans = new Map<RunId, string>();
  #isStale = true;
  /** What was read already of the ledger may be told once more. */
  #readUpTo = 0;
  /** Somebody may have claimed by a word in a plan, and a run may make that theirs or not. */
  #hasWords = false;
  /** How many tasks were looked at, ever: for whoever measures. */
  looks = 0;

  constructor(sources: TableSources) {
    this.#sources = sources;
  }

  get(plan: string, task: string): BoardTask | undefined {
    return this.#rows.get(keyOf(plan, task));
  }

  /** What the ledger says of it now, also where nobody has looked at its row since. */
  recordOf(plan: string, task: string): TaskRecord | undefined {
    return this.#records.get(keyOf(plan, task));
  }

  /** In the order of their plans. */
  get all(): readonly BoardTask[] {
    return [...this.#rows.values()];
  }

  /** The same, unless something has happened to one of them that was not looked at yet. */
  get current(): readonly BoardTask[] | undefined {
    return this.#isStale || this.#due.size > 0 ? undefined : this.all;
  }

  /** Those that were seen to write or read what their plan does not say. */
  get observed(): readonly BoardTask[] {
    return [...this.#observed].flatMap((key) => this.#rows.get(key) ?? []);
  }

  /** When one of them may look different though nothing happens. */
  get nextClearAt(): Instant | undefined {
    let first: Instant | undefined;
    for (const at of this.#clearsAt.values()) if (first === undefined || at < first) first = at;
    return first;
  }

  /** Something else has changed than what the ledger says. */
  forget(): void {
    this.#isStale = true;
  }

  heed(entries: readonly LedgerEntry[]): void {
    if (this.#hasWords && entries.length > 0) this.#isStale = true;
    for (const entry of entries) {
      if (this.#isStale) return;
      this.#heedOne(entry.event, entry.sequence <= this.#readUpTo);
    }
  }

  /** Looks again; at no more than `most` of those that only wait for their turn. */
  take(most: number): TaskChanges {
    if (this.#isStale) return this.#renew();
    const open = this.#sources.open();
    if (open !== undefined) this.#stirCleared(nowOn(open));
    if (most > 0) this.#takeLater(most);
    const isMore = this.#later.size > 0 || (this.#areStirred && this.#restless.size > 0);
    if (this.#due.size === 0) return { changed: [], removed: [], isMore };
    const outlook = open?.keeper.outlook();
    const changed = [...this.#due].flatMap((key) => {
      const before = this.#rows.get(key);
      if (before === undefined) return [];
      const now = this.#look(before, { key, open, outlook });
      return now === before ? [] : { before, now };
    });
    this.#due.clear();
    return { changed, removed: [], isMore };
  }

  #takeLater(most: number): void {
    if (this.#areStirred) for (const key of this.#restless) this.#later.add(key);
    this.#areStirred = false;
    for (const key of this.#later) {
      if (this.#due.size >= most) break;
      this.#later.delete(key);
      this.#due.add(key);
    }
  }

  #renew(): TaskChanges {
    const { root } = this.#sources;
    const open = this.#sources.open();
    const before = this.#rows;
    this.#readUpTo = open?.store.lastSequence() ?? 0;
    const records = open?.store.latestStates(root) ?? [];
    this.#records = new Map(records.map((record) => [keyOf(record.plan, record.task), record]));
    this.#plans = new Map(records.map(({ run, plan }) => [run, plan]));
    this.#rows = new Map();
    this.#hasWords = false;
    for (const set of [this.#restless, this.#observed, this.#due, this.#later]) set.clear();
    this.#clearsAt.clear();
    this.#areStirred = false;
    this.#isStale = false;
    const outlook = open?.keeper.outlook();
    const changed = this.#sources.plans().flatMap((plan) =>
      plan.plan.tasks.map((task) => {
        const key = keyOf(plan.path, task.id);
        if (task.claimInPlan !== undefined) this.#hasWords = true;
        const now = this.#look({ plan, task }, { key, open, outlook });
        return { before: before.get(key), now };
      }),
    );
    const removed = [...before].flatMap(([key, row]) => (this.#rows.has(key) ? [] : [row]));
    return { changed, removed, isMore: false };
  }

  #look(
    { plan, task }: Pick<BoardTask, 'plan' | 'task'>,
    {
      key,
      open,
      outlook,
    }: {
      readonly key: string;
      readonly open: OpenBoard | undefined;
      readonly outlook: Parameters<typeof statusIn>[1]['outlook'];
    },
  ): BoardTask {
    this.looks += 1;
    const record = this.#records.get(key);
    const obstacle = plan.plan.obstacles.get(task.id);
    const status = statusIn(task, { record, obstacle, outlook, reader: this.#sources.reader() });
    const observed = record && open && this.#sources.observed(open, record.run, task.id);
    const entry = record && open?.keeper.board.find(record.run, task.id);
    const isPaused = entry?.isPaused === true;
    const before = this.#rows.get(key);
    const seen: BoardTask = { plan, task, record, status, observed, isPaused };
    // What waits is looked at again and again, and nearly always stays as it is.
    const now = before !== undefined && isSame(before, seen) ? before : seen;
    if (now !== before) this.#rows.set(key, now);
    setIn(this.#observed, key, observed !== undefined);
    setIn(this.#restless, key, entry !== undefined && isRestless(entry));
    if (status.clearsAt === undefined) this.#clearsAt.delete(key);
    else this.#clearsAt.set(key, status.clearsAt);
    return now;
  }

  #heedOne(event: BoardEvent, isRead: boolean): void {
    if (isObservation(event)) {
      if (event.kind === 'writtenByOneOf') this.#isStale = true;
      else this.#dueIn(event.run, event.task);
      return;
    }
    switch (event.kind) {
      case 'taskMoved':
        this.#move(event, isRead);
        break;
      case 'taskPaused':
      case 'taskResumed':
        this.#dueIn(event.run, event.task);
        break;
      case 'runSubmitted':
      case 'runRevised':
      case 'runInterrupted':
      case 'runResumed':
      case 'runFinished':
      case 'runStopAsked':
        this.#heedRun(event);
        break;
      case 'boardPaused':
      case 'boardResumed':
      case 'permissionChanged':
      case 'loadChanged':
      case 'placeSeen':
      case 'placeGone':
      case 'agentConfigured':
      case 'agentGone':
        // Whether a task can ever start may be another thing now, whatever it waits for.
        for (const key of this.#rows.keys()) this.#later.add(key);
        break;
      case 'tenureBegan':
      case 'writesDismissed':
        this.#isStale = true;
        break;
      case 'cycleRan':
      case 'loadMeasured':
      case 'releaseAsked':
      case 'starvationCounted':
      case 'taskStarved':
      case 'workerRequested':
      case 'workerWoken':
      case 'wakesForgotten':
      case 'lossesTold':
      case 'takenFilesChanged':
        break;
      default:
        this.#stir();
    }
  }

  #heedRun(event: Extract<BoardEvent, { kind: `run${string}` }>): void {
    switch (event.kind) {
      case 'runSubmitted':
        // Its tasks may have been elsewhere until now.
        if (event.manifest.root === this.#sources.root) this.#isStale = true;
        break;
      case 'runFinished':
        this.#setRunStatus(event.run, 'finished');
        break;
      case 'runInterrupted':
        this.#setRunStatus(event.run, 'interrupted');
        break;
      case 'runResumed':
        this.#setRunStatus(event.run, 'active');
        break;
      case 'runRevised':
        this.#isStale = true;
        break;
      case 'runStopAsked':
        for (const [key, { run }] of this.#records) if (run === event.run) this.#later.add(key);
        break;
      default:
        event satisfies never;
    }
    this.#stir();
  }

  #setRunStatus(run: RunId, runStatus: RunStatus): void {
    for (const [key, record] of this.#records)
      if (record.run === run) {
        this.#records.set(key, { ...record, runStatus });
        this.#later.add(key);
      }
  }

  #move({ run, task, event }: Extract<BoardEvent, { kind: 'taskMoved' }>, isRead: boolean): void {
    const found = this.#recordIn(run, task);
    if (found !== undefined) {
      const { key, record } = found;
      const step = isRead ? undefined : transition(record.state, event);
      // It is not as we thought: it is read anew.
      if (step?.kind === 'refused') this.#isStale = true;
      if (step?.kind === 'moved') this.#records.set(key, { ...record, state: step.state });
      this.#due.add(key);
      const hasEnded = step?.kind === 'moved' && isFinal(step.state) !== isFinal(record.state);
      if (hasEnded || isRead) this.#stirSuccessors(run, task);
    }
    // A runner of ours renews all the time, and nobody else looks different for that.
    if (event.kind !== 'leaseRenewed' || !this.#isOfRunner(run, task)) this.#stir();
  }

  #isOfRunner(run: RunId, task: TaskId): boolean {
    const holder = this.#sources.open()?.keeper.board.find(run, task)?.claim?.holder;
    return holder !== undefined && isRunner(holder.worker);
  }

  #stirSuccessors(run: RunId, task: TaskId): void {
    const entry = this.#sources.open()?.keeper.board.find(run, task);
    entry?.run.forEachSuccessor(entry, ({ id }) => this.#dueIn(run, id));
  }

  #stirCleared(now: Instant): void {
    for (const [key, at] of this.#clearsAt)
      if (isOver(at, now)) {
        this.#clearsAt.delete(key);
        this.#later.add(key);
      }
  }

  /** Whoever waits for their turn may be closer to it. */
  #stir(): void {
    this.#areStirred = true;
  }

  #dueIn(run: RunId, task: TaskId): void {
    const found = this.#recordIn(run, task);
    if (found !== undefined) this.#due.add(found.key);
  }

  /** Nothing where another run has the task now, or no plan of the folder. */
  #recordIn(run: RunId, task: TaskId): { key: string; record: TaskRecord } | undefined {
    const plan = this.#plans.get(run);
    if (plan === undefined) return undefined;
    const key = keyOf(plan, task);
    const record = this.#records.get(key);
    return record?.run === run ? { key, record } : undefined;
  }
}

/** Nothing that it depends on is missing, or what is missing may be anywhere. */
function isRestless(entry: TaskEntry): boolean {
  if (entry.state.kind !== 'pending') return false;
  return entry.unmet === 0 || entry.run.outsideOf(entry).length > 0;
}

function isSame(before: BoardTask, now: BoardTask): boolean {
  return (
    before.record === now.record &&
    before.observed === now.observed &&
    before.isPaused === now.isPaused &&
    before.plan === now.plan &&
    before.task === now.task &&
    isSameStatus(before.status, now.status)
  );
}

function setIn(set: Set<string>, key: string, isIn: boolean): void {
  if (isIn) set.add(key);
  else set.delete(key);
}

function keyOf(plan: string, task: string): string {
  return `${plan}\n${task}`;
}
