import { assert, unreachable } from '../../domain/assert.ts';
import { isPushed } from '../../domain/asks.ts';
import type { RunId, TaskId } from '../../domain/ids.ts';
import { DEFAULT_QUEUE_LIMIT, type LoadMode, type LoadReading } from '../../domain/failure/load.ts';
import type { PathRules } from '../../domain/paths/overlap.ts';
import { type Credits, NO_CREDITS, takeTurn } from '../../domain/priority.ts';
import type { OutsideTask, Run, RunManifest, RunPolicy } from '../../domain/run.ts';
import {
  holderOf,
  type TaskEvent,
  type TaskState,
  transition,
  type Transition,
} from '../../domain/task.ts';
import { type Instant, instant, NEVER } from '../../domain/time.ts';
import type { BoardEvent, Permission } from './board-event.ts';
import { ClaimTable } from './claim-table.ts';
import { followMove, followOutside } from './consequences.ts';
import {
  addToTally,
  addToTotals,
  CYCLE_MS,
  type CycleTotals,
  NO_CYCLES,
  NO_TALLY,
  type Tally,
} from './cycle-report.ts';
import { type Standing, standingOf } from './outside.ts';
import { Losses } from './losses.ts';
import { OutsideTable } from './outside-table.ts';
import { OwnerTable } from './owner-table.ts';
import { ReadyQueues } from './ready-queues.ts';
import { RunModel, type TaskEntry } from './run-model.ts';
import { reviseRun } from './run-revision.ts';
import { Waiters } from './waiters.ts';
import { WorkerTable } from './worker-table.ts';

export type { Permission } from './board-event.ts';

/**
 * The snapshot that decisions rest on, kept up to date event by event. Besides the facts it keeps
 * what follows from them and would be slow to work out each time: what is ready, who owns what, which
 * lease ends next.
 *
 * Invariant: applying the same events in the same order gives an equal board.
 * Invariant: no change of a task takes longer because more tasks have ended.
 */
export class BoardModel {
  permission: Permission = 'granted';
  isPaused = false;
  mode: LoadMode = 'normal';
  /** How often the mode has changed. */
  loadChanges = 0;
  /** Measured from outside, but for how many tasks wait. */
  load: Omit<LoadReading, 'queued'> = { queueLimit: DEFAULT_QUEUE_LIMIT, memory: 0, cpu: 0 };
  /** What each class has earned of the turns: where the scheduler claims, and where workers do. */
  credits: Credits = NO_CREDITS;
  pullCredits: Credits = NO_CREDITS;
  totals: CycleTotals = NO_CYCLES;
  /** Tasks that were lost since the last cycle. */
  recovered: Tally<TaskId> = NO_TALLY;
  #lastCycleAt: Instant = instant(0);
  /** Something has happened that the last cycle did not see. */
  #isCycleStale = false;
  /** Unfinished runs, the oldest first. */
  readonly runs = new Map<RunId, RunModel>();
  readonly ready = new ReadyQueues();
  readonly claims = new ClaimTable();
  readonly owners: OwnerTable;
  readonly workers = new WorkerTable();
  readonly waiters = new Waiters();
  readonly outside = new OutsideTable();
  /** Claims that agents lost and have not been told of. */
  readonly losses: Losses;
  #now: Instant = instant(0);

  constructor(rules: PathRules) {
    this.owners = new OwnerTable(rules);
    this.losses = new Losses(rules);
  }

  /** The latest time anybody spoke of: a clock that is set back does not turn it back. */
  get now(): Instant {
    return this.#now;
  }

  /** What is remembered of time, for whoever keeps the facts of the board. */
  get times(): BoardTimes {
    const [now, lastCycleAt, isCycleStale] = [this.#now, this.#lastCycleAt, this.#isCycleStale];
    return { now, lastCycleAt, isCycleStale };
  }

  restoreTimes({ now, lastCycleAt, isCycleStale }: BoardTimes): void {
    this.#now = now;
    this.#lastCycleAt = lastCycleAt;
    this.#isCycleStale = isCycleStale;
  }

  /** A cycle looks at the tasks that workers take for themselves, when there is news or it is time. */
  isCycleDue(now: Instant): boolean {
    if (this.ready.pullLanes.size === 0) return false;
    return this.#isCycleStale || now >= this.nextCycleAt;
  }

  /** The time of whatever happens now: a clock that was set back gives no time before the last. */
  timeAt(now: Instant): Instant {
    return now > this.#now ? now : this.#now;
  }

  find(run: RunId, task: TaskId): TaskEntry | undefined {
    return this.runs.get(run)?.find(task);
  }

  /** Brings what has become due by now where it belongs. No fact changes. */
  advanceTo(now: Instant): void {
    if (now > this.#now) this.#now = now;
    const isReadyNews = this.ready.advanceTo(this.#now);
    const isOwnerNews = this.owners.advanceTo(this.#now);
    this.#isCycleStale ||= isReadyNews || isOwnerNews;
  }

  /** Where only people and their windows are waited for and none is here, a cycle would see nothing new. */
  get #hasWorkToOffer(): boolean {
    const { pullLanes } = this.ready;
    if (pullLanes.size > 0 && this.workers.sessions.size > 0) return true;
    for (const { asks } of pullLanes)
      if (asks.doer.kind !== 'person' && asks.doer.kind !== 'terminal') return true;
    return false;
  }

  /** When the next cycle comes without news; never where nobody waits to be served by one. */
  get nextCycleAt(): Instant {
    if (!this.#hasWorkToOffer) return NEVER;
    const lapseAt = this.waiters.nextLapseAfter(this.#lastCycleAt);
    return instant(Math.min(this.#lastCycleAt + CYCLE_MS, lapseAt));
  }

  /** Refused when the facts have moved on; then nothing changes. */
  apply(event: BoardEvent): Transition['kind'] {
    const at = event.kind === 'taskMoved' ? event.event.at : event.at;
    if (at > this.#now) this.advanceTo(at);
    const result = this.#change(event);
    if (result === 'moved') this.#isCycleStale ||= isNewsToWorkers(event);
    return result;
  }

  #change(event: BoardEvent): Transition['kind'] {
    switch (event.kind) {
      case 'taskMoved':
        return this.#taskMoved(event);
      case 'runSubmitted':
        if (this.runs.has(event.manifest.id)) return 'refused';
        this.addRun({ manifest: event.manifest, states: new Map() }, event.at);
        return 'moved';
      case 'runRevised':
      case 'runStopAsked':
      case 'runInterrupted':
      case 'runResumed':
      case 'runFinished':
        return said(this.#runChanged(event));
      case 'taskPaused':
      case 'taskResumed':
      case 'starvationCounted':
      case 'workerWoken':
        return said(this.#taskMarked(event));
      case 'pathsOwned':
      case 'pathsFreed':
      case 'releaseAsked':
      case 'undeclaredWritten':
      case 'leftoverGone':
      case 'writesDismissed':
        return said(this.owners.apply(event, (run, task) => this.find(run, task)));
      case 'tenureBegan':
      case 'permissionChanged':
        this.permission = event.permission;
        return 'moved';
      case 'boardPaused':
      case 'boardResumed':
        this.isPaused = event.kind === 'boardPaused';
        return 'moved';
      case 'loadChanged':
        this.mode = event.mode;
        this.loadChanges += 1;
        return 'moved';
      case 'taskStarved':
      case 'workerRequested':
      case 'writtenByOneOf':
      case 'inputChanged':
      case 'heldFilesChanged':
      case 'takenFilesChanged':
        return 'moved';
      case 'loadMeasured':
        this.load = event.load;
        return 'moved';
      case 'cycleRan':
        this.totals = addToTotals(this.totals, event.report);
        this.#lastCycleAt = event.at;
        this.#isCycleStale = false;
        this.recovered = NO_TALLY;
        return 'moved';
      case 'wakesForgotten':
        for (const run of this.runs.values())
          for (const entry of run.entries) entry.wokenAt = undefined;
        this.waiters.forgetOffers();
        return 'moved';
      case 'lossesTold':
        return said(this.losses.told(event.worker, event.terms));
      case 'workerSeen':
        return said(this.workers.apply(event) && this.#workerSeen(event));
      case 'workerLeft':
        this.waiters.end(event.worker);
        return said(this.workers.apply(event));
      default:
        return said(this.workers.apply(event));
    }
  }

  /** A run with the states its tasks have by now; what is ready has been so since `at`. */
  addRun({ manifest, states }: Run, at: Instant): void {
    assert(!this.runs.has(manifest.id), 'a run is submitted once');
    const stateOf = (task: TaskId): TaskState | undefined => states.get(task);
    this.#enter(
      new RunModel(manifest, { stateOf, at, standingOf: (task) => this.#standingOf(task) }),
    );
  }

  /** The hottest path of all: one task changes state, and what waits for it may become ready. */
  move(entry: TaskEntry, event: TaskEvent): Transition {
    const before = entry.state;
    const result = transition(before, event);
    if (result.kind === 'refused') return result;
    entry.state = result.state;
    followMove(this, entry, { before, event });
    return result;
  }

  #taskMoved(event: Extract<BoardEvent, { kind: 'taskMoved' }>): Transition['kind'] {
    const entry = this.find(event.run, event.task);
    if (entry === undefined) return 'refused';
    const { kind } = this.move(entry, event.event);
    if (kind === 'moved' && event.event.kind === 'taskLost')
      this.recovered = addToTally(this.recovered, event.task);
    if (kind === 'moved' && event.contending !== undefined) {
      if (isPushed(entry.asks.doer))
        this.credits = takeTurn(this.credits, event.contending).credits;
      else this.pullCredits = takeTurn(this.pullCredits, event.contending).credits;
    }
    return kind;
  }

  #runChanged(event: Extract<BoardEvent, { kind: `run${string}`; run: RunId }>): boolean {
    const run = this.runs.get(event.run);
    if (run === undefined) return false;
    switch (event.kind) {
      case 'runStopAsked':
        run.isStopping = true;
        return true;
      case 'runInterrupted':
      case 'runResumed':
        run.isInterrupted = event.kind === 'runInterrupted';
        if (event.kind === 'runResumed') run.manifest = withPolicy(run.manifest, event.policy);
        return true;
      case 'runFinished':
        // Whoever is at work on it would lose what it owns.
        if (run.held > 0) return false;
        this.#leave(run);
        this.runs.delete(event.run);
        // What has not ended by now never does.
        for (const outside of this.outside.ofRun(event.run))
          if (outside.standing === 'open')
            followOutside(this, outside, { standing: 'ended', at: event.at });
        return true;
      case 'runRevised':
        this.#replace(run, reviseRun(run, event));
        return true;
      default:
        return unreachable(event);
    }
  }

  #taskMarked(
    event: Extract<
      BoardEvent,
      { kind: 'taskPaused' | 'taskResumed' | 'starvationCounted' | 'workerWoken' }
    >,
  ): boolean {
    const entry = this.find(event.run, event.task);
    if (entry === undefined) return false;
    switch (event.kind) {
      case 'taskPaused':
      case 'taskResumed':
        entry.isPaused = event.kind === 'taskPaused';
        if (entry.isPaused) entry.run.paused.add(entry);
        else entry.run.paused.delete(entry);
        if (!entry.isPaused) entry.readySince = event.at;
        this.ready.place(entry, this.#now);
        return true;
      case 'starvationCounted':
        entry.starvation = event.starvation;
        return true;
      case 'workerWoken':
        entry.wokenAt ??= new Map();
        entry.wokenAt.set(event.worker, event.at);
        this.#offer(entry, event);
        return true;
      default:
        return unreachable(event);
    }
  }

  /** People come when it suits them; and who had a task last does not hold up others with it. */
  #offer(
    entry: TaskEntry,
    { worker, run, task, at }: Extract<BoardEvent, { kind: 'workerWoken' }>,
  ): void {
    const isAgent = this.workers.sessions.get(worker)?.kind === 'agent';
    if (isAgent && entry.leftBy !== worker) this.waiters.offer(worker, { run, task, at });
  }

  #workerSeen({ worker, at }: Extract<BoardEvent, { kind: 'workerSeen' }>): true {
    if (!worker.isIdle) this.waiters.end(worker.id);
    else if (this.claims.holdsNothing(worker.id)) this.waiters.begin(worker.id, at);
    return true;
  }

  /** What was learnt of a claim on the way outlives the exchange, and so do attempts that were lost. */
  #replace(run: RunModel, revised: RunModel): void {
    const claims = [...this.claims.ofRun(run)];
    this.#leave(run);
    this.#enter(revised);
    for (const leftover of this.owners.leftovers.values()) {
      const entry = leftover.run === run.manifest.id ? revised.find(leftover.task) : undefined;
      if (entry !== undefined && !leftover.isApart) entry.leftover = leftover.owner;
    }
    for (const { entry, undeclared, isApart } of claims) {
      const claim = revised.find(entry.id)?.claim;
      if (claim === undefined) continue;
      claim.isApart = isApart;
      this.owners.takeUndeclared(claim, undeclared?.keys() ?? []);
    }
  }

  #enter(run: RunModel): void {
    // A revised run keeps its place among the others.
    this.runs.set(run.manifest.id, run);
    for (const entry of run.entries) {
      const holder = holderOf(entry.state);
      if (holder !== undefined) this.owners.take(this.claims.take(entry, holder));
      run.count(entry, undefined);
    }
    // In its lane whoever is ready longest stands first.
    for (const entry of run.entries.toSorted((a, b) => a.readySince - b.readySince))
      this.ready.place(entry, this.#now);
    this.outside.add(run);
    for (const outside of this.outside.ofRun(run.manifest.id))
      followOutside(this, outside, { standing: this.#standingOf(outside.task), at: this.#now });
  }

  #standingOf({ run, task }: OutsideTask): Standing {
    const of = this.runs.get(run);
    // It comes together with whoever waits for it.
    if (of === undefined) return 'open';
    const entry = of.find(task);
    return entry === undefined ? 'ended' : standingOf(entry.state);
  }

  #leave(run: RunModel): void {
    this.outside.remove(run);
    for (const entry of run.entries) {
      this.ready.remove(entry);
      if (entry.claim === undefined) continue;
      this.owners.letGo(entry.claim);
      this.claims.letGo(entry.claim);
    }
  }
}

interface BoardTimes {
  readonly now: Instant;
  readonly lastCycleAt: Instant;
  /** Something has happened that the last cycle did not see. */
  readonly isCycleStale: boolean;
}

/** Whoever holds the task holds it as before. */
const QUIET: ReadonlySet<TaskEvent['kind']> = new Set([
  'leaseRenewed',
  'taskStarted',
  'endAnnounced',
  'holderLeft',
]);

/** What can make a task takeable, or a worker free. The end of any claim does. */
function isNewsToWorkers(event: BoardEvent): boolean {
  switch (event.kind) {
    case 'starvationCounted':
    case 'workerWoken':
    case 'workerRequested':
    case 'taskStarved':
    case 'loadMeasured':
    case 'cycleRan':
    case 'writtenByOneOf':
    case 'inputChanged':
    case 'heldFilesChanged':
    case 'takenFilesChanged':
    case 'lossesTold':
      return false;
    case 'taskMoved':
      return !QUIET.has(event.event.kind);
    default:
      return true;
  }
}

function withPolicy(manifest: RunManifest, policy: Partial<RunPolicy> | undefined): RunManifest {
  return { ...manifest, policy: { ...manifest.policy, ...policy } };
}

function said(hasMoved: boolean): Transition['kind'] {
  return hasMoved ? 'moved' : 'refused';
}
