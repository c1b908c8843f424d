import { isPushed } from '../../server/domain/asks.ts';
import type { WorkerId } from '../../server/domain/ids.ts';
import type { TaskEvent } from '../../server/domain/task.ts';
import type { BoardEvent } from '../../server/scheduler/model/board-event.ts';
import { isObservation } from '../../server/scheduler/model/observed.ts';
import { nameOf, type Physical } from './physical.ts';
import { isIgnored, keepFact, mayOwn } from './shadow-board.ts';
import { modeOf } from './shadow-load.ts';
import { ShadowBreakers } from './shadow-breakers.ts';
import { checkClaim, placeOfWorker } from './shadow-claim.ts';
import { followTask } from './shadow-follow.ts';
import { finishShadow, followOthers, reviseShadow, submitRun } from './shadow-run.ts';
import { isMissed, OPENING_MS, ShadowOrder } from './shadow-order.ts';
import { followEdges } from './shadow-ready.ts';
import { ShadowLine } from './shadow-line.ts';
import { ShadowTenures } from './shadow-tenure.ts';
import { ShadowFacts, type ShadowTask } from './shadow-task.ts';
import type { Checks } from './violation.ts';
import { bitOf, isCommand } from './work.ts';

type Of<Kind extends BoardEvent['kind']> = Extract<BoardEvent, { kind: Kind }>;

/**
 * Reads the ledger as it is written and refuses what must not be in it. It shares no code with the
 * scheduler but the names of things.
 */
export class Shadow {
  readonly facts = new ShadowFacts();
  readonly breakers: ShadowBreakers;
  readonly tenures: ShadowTenures;
  readonly #checks: Checks;
  readonly #physical: Physical;
  readonly #order: ShadowOrder;
  readonly #line = new ShadowLine();
  /** When a task moved last. */
  #movedAt = 0;
  #skippedAt = 0;
  #writing: Writing = { at: 0, isBeginning: false, isTakeOver: false, trueAt: 0, calmMs: 0 };
  /** When the last turn was written. */
  #seenAt = 0;
  /** When anything was last written before somebody new began. */
  #absentSince = 0;
  #hasPaused = false;

  constructor(checks: Checks, physical: Physical) {
    this.#checks = checks;
    this.#physical = physical;
    this.breakers = new ShadowBreakers(checks);
    this.#order = new ShadowOrder(checks);
    this.tenures = new ShadowTenures(checks, this.facts);
  }

  /** When the last turn was written. */
  get seenAt(): number {
    return this.#seenAt;
  }

  /** What is read until the end has reached the disk together. */
  beginTransaction(writing: Writing): void {
    this.#writing = writing;
    this.#hasPaused = false;
  }

  endTransaction(): void {
    this.tenures.check({ hasPaused: this.#hasPaused });
    if (!this.#writing.isBeginning) this.#seenAt = this.#writing.at;
  }

  read(event: BoardEvent): void {
    this.tenures.read(event);
    const at = event.kind === 'taskMoved' ? event.event.at : event.at;
    if (event.kind === 'tenureBegan') this.#absentSince = this.facts.lastAt;
    if (event.kind === 'boardPaused') this.#hasPaused = true;
    this.#checks.holds(
      'I24',
      at >= this.facts.lastAt,
      () => `${event.kind} is before its predecessor`,
    );
    this.facts.lastAt = at;
    switch (event.kind) {
      case 'taskMoved':
        this.#taskMoved(event);
        break;
      case 'runSubmitted':
        this.#checkOnly(event);
        submitRun(this.facts, event);
        break;
      case 'runRevised':
        reviseShadow(this.facts, event);
        break;
      case 'runStopAsked':
      case 'runInterrupted':
      case 'runResumed':
        this.#runMarked(event);
        break;
      case 'runFinished':
        finishShadow(this.facts, event, this.#checks);
        break;
      case 'taskPaused':
      case 'taskResumed':
        this.#paused(event);
        break;
      case 'taskStarved':
      case 'workerRequested':
        this.#starves(event);
        break;
      // For whoever has the file; nothing follows from it.
      case 'releaseAsked':
      case 'takenFilesChanged':
        break;
      case 'lossesTold':
        for (const term of event.terms) this.facts.untold.delete(term);
        break;
      case 'cycleRan':
        this.facts.lastCycleAt = at;
        this.#cycleRan();
        break;
      case 'leftoverGone':
        this.facts.forgetLeftover(event.term);
        break;
      case 'undeclaredWritten':
        this.#undeclaredWritten(event);
        break;
      case 'writesDismissed':
        this.#writesDismissed(event);
        break;
      case 'starvationCounted':
        this.#starvationCounted(event);
        break;
      case 'workerWoken':
        this.#workerWoken(event);
        break;
      default:
        if (!isObservation(event)) this.#boardChanged(event);
    }
  }

  #task({ run, task }: Pick<Of<'taskMoved'>, 'run' | 'task'>) {
    const found = this.facts.find(run, task);
    if (found === undefined)
      throw new Error(`The ledger names ${run}/${task}, which does not exist.`);
    return found;
  }

  #taskMoved({ run, task, event, contending }: Of<'taskMoved'>): void {
    const shadow = this.#task({ run, task });
    const ofRun = this.facts.runs.get(run)!;
    if (event.kind === 'taskClaimed') {
      const { facts } = this;
      const [checks, physical] = [this.#checks, this.#physical];
      facts.hasSkipped = this.#skippedAt === event.at;
      const context = { facts, run: ofRun, task: shadow, event, checks, physical };
      checkClaim(context);
      this.#order.follow(context, contending);
      this.#line.check(context);
      facts.lastTerm = event.term;
      physical.claimed.set(event.term, nameOf({ run, task }));
      physical.claimedBy.set(event.term, event.worker.replace(/:window-.*$/, ''));
    }
    this.#movedAt = event.at;
    const isQuiet = QUIET.has(event.kind);
    if (!isQuiet) this.facts.newsAt = event.at;
    if (isOfOthers(event)) this.#skippedAt = event.at;
    const worker = event.kind === 'taskClaimed' ? event.worker : shadow.holder?.worker;
    const place = worker === undefined ? undefined : placeOfWorker(worker);
    // Of a host that is gone nobody counts anything.
    const isGone = place !== undefined && !this.facts.places.has(place);
    this.breakers.follow(event, { work: shadow.work, place: isGone ? 'local' : place });
    this.#checkTruth(shadow, event);
    this.#checkAbsence(shadow, event);
    this.#keepLeftover(shadow, event);
    const { state } = shadow;
    const mayProlong = this.#mayProlong(shadow);
    const isApart = this.facts.places.get(place ?? 'local')?.isIsolated === true;
    const [checks, factor] = [this.#checks, this.#factor];
    followTask({ run: ofRun, task: shadow, event, checks, factor, mayProlong, isApart });
    if (worker !== undefined && shadow.holder === undefined) shadow.leftBy = worker;
    if (event.kind === 'taskClaimed') shadow.leftBy = undefined;
    if (worker !== undefined && (event.kind === 'taskClaimed' || shadow.holder === undefined))
      this.#line.follow(event, {
        worker: this.facts.sessions.get(worker),
        isFree: !this.#holdsAny(worker),
      });
    if (shadow.state === 'pending' && (state !== 'pending' || event.kind === 'taskRetried'))
      shadow.readySince = shadow.notBefore === 0 ? event.at : shadow.notBefore;
    if (shadow.state === state) return;
    followEdges(ofRun, event.at);
    followOthers(this.facts, ofRun, event.at);
  }

  #holdsAny(worker: WorkerId): boolean {
    return this.facts
      .holders()
      .some(({ holder, work }) => holder?.worker === worker && !isPushed(work.asks.doer));
  }

  /** Of one plan there is one run, and another one takes the place of those that are left. */
  #checkOnly({ manifest: { root, plan, id } }: Of<'runSubmitted'>): void {
    for (const { manifest, isStopping } of this.facts.runs.values()) {
      const isOther = manifest.root !== root || manifest.plan !== plan || isStopping;
      this.#checks.holds('one-run', isOther, () => `${id} begins, and ${manifest.id} goes on`);
    }
  }

  /** Of a command it is said what became of it, and nothing else. */
  #checkTruth({ work, holder }: ShadowTask, event: TaskEvent): void {
    if (!isCommand(work.asks.doer) || holder === undefined) return;
    const truth = this.#physical.truth.get(holder.term);
    const isNotStarted = truth?.kind === 'failed' && truth.failure.kind === 'not-started';
    const hasBegun = this.#physical.begun.has(holder.term);
    const name = `${nameOf(work)}: it has ${truth?.kind ?? 'no end'}, and ${event.kind}`;
    const holds = (isSo: boolean): void => this.#checks.holds('truth', isSo, () => name);
    if (event.kind === 'taskCompleted') holds(truth?.kind === 'succeeded');
    else if (event.kind === 'taskFailed') {
      const isSaid = holder.ending?.kind === 'failed' || holder.ending?.kind === 'released';
      const isOver = truth?.kind === 'failed' || (isSaid && truth?.kind === 'succeeded');
      holds(isOver && (event.failure.kind === 'not-started') === isNotStarted);
    } else if (event.kind === 'taskReleased' && event.reason === 'released')
      // Whatever its command says while it runs, the task is its own until then.
      holds(truth !== undefined);
    else if (event.kind === 'taskReleased' && event.reason === 'lost') holds(!hasBegun);
    else if (event.kind === 'taskLost' && event.cause === 'not-started') holds(!hasBegun);
    else if (event.kind === 'taskLost' && event.cause !== 'lease-expired')
      holds(truth?.kind === 'lost');
  }

  /**
   * Nobody could be given anything while nobody decided: whoever had a task then has it still. That is
   * so where a turn comes late, and in the first one of whoever has taken over.
   */
  #checkAbsence({ work, holder }: ShadowTask, event: TaskEvent): void {
    if (event.kind !== 'taskLost' || !isEndOfLease(event.cause)) return;
    const { at, isTakeOver } = this.#writing;
    const wasThereAt = isTakeOver ? this.#absentSince : this.#seenAt;
    const wasAway = isTakeOver || at - this.#seenAt > SLEPT_MS;
    const isOver = (holder?.expiresAt ?? Infinity) <= wasThereAt;
    this.#checks.holds('absence', !wasAway || isOver, () => `${nameOf(work)} was not there`);
    if (!isPushed(work.asks.doer) || holder === undefined) return;
    const { calmMs, trueAt } = this.#writing;
    const isGivenUp = this.#physical.givenUp.has(holder.term);
    const isOfOther = holder.claimedAt < this.tenures.beganAt;
    const isAwaited = !isGivenUp && isOfOther && placeOfWorker(holder.worker) !== 'local';
    const isImpatient = isAwaited && !isOver && at < this.tenures.beganAt + PATIENCE_MS;
    this.#checks.holds('awaited', !isImpatient, () => `${nameOf(work)} is lost too soon`);
    const isKnown = trueAt - (this.#physical.known.get(holder.term) ?? Infinity) > FOUND_MS;
    this.#checks.holds('looked-after', !isKnown, () => `${nameOf(work)} is lost, and it was known`);
    const isOurs = holder.claimedAt > at - calmMs;
    const silentUntil =
      this.#physical.silentUntil.get(placeOfWorker(holder.worker) ?? 'local') ?? 0;
    const mendedMs = Math.min(calmMs, at - this.facts.mendedAt, trueAt - silentUntil);
    const isMended = mendedMs > MENDED_MS;
    // One that is found again may be lost while it is looked at.
    const isLookedAt = this.#physical.known.has(holder.term) && !isKnown;
    const wasLookedAfter = (isOurs || isMended) && !isGivenUp && !isLookedAt;
    const why = (): string => `${nameOf(work)} is lost, and somebody was there`;
    this.#checks.holds('looked-after', !wasLookedAfter, why);
  }

  /**
   * A lease that is over is prolonged only where nobody has looked since it ended, or where whoever
   * decides knows its command and has given the task to nobody else.
   */
  #mayProlong({ holder }: ShadowTask): boolean {
    if (holder === undefined || this.#physical.known.has(holder.term)) return true;
    return (holder.expiresAt ?? Infinity) > this.#seenAt;
  }

  /** How far limits are stretched now. */
  get #factor(): number {
    return { normal: 1, moderate: 1.5, high: 2.5, critical: 5 }[this.facts.mode];
  }

  /** Who was lost or sent away while at work may go on; a command that was stopped does not. */
  /** An agent that lost a task gets none of its files before it knows. */
  #keepUntold({ work, holder }: Pick<ShadowTask, 'work' | 'holder'>, event: TaskEvent): void {
    if (holder === undefined || isPushed(work.asks.doer)) return;
    const isGone = event.kind === 'taskLost' || event.kind === 'taskCancelled';
    const { worker, term } = holder;
    if (isGone && worker.startsWith('agent/')) this.facts.untold.set(term, { worker, work });
  }

  #keepLeftover({ work, holder }: ShadowTask, event: TaskEvent): void {
    if (holder === undefined) return;
    const isOurs = isPushed(work.asks.doer);
    this.#keepUntold({ work, holder }, event);
    const isLost =
      event.kind === 'taskLost' && (event.cause === 'lease-expired' || event.cause === 'host-lost');
    const isSentAway = event.kind === 'taskCancelled' && !isCommand(work.asks.doer);
    const mayHaveBegun = isOurs || holder.startedAt !== undefined || holder.undeclared !== 0;
    if (!(isLost || isSentAway) || !mayHaveBegun) return;
    const until = isOurs ? undefined : Math.max(event.at + 60_000, holder.expiresAt ?? 0);
    const { term, worker, undeclared, isApart } = holder;
    const place = placeOfWorker(worker);
    this.facts.keepLeftover(term, { work, place, undeclared, until, isApart });
  }

  /** A worker is asked for after four such cycles, and it is said after six. */
  #starves(event: Of<'taskStarved' | 'workerRequested'>): void {
    const { starvation } = this.#task(event);
    const isTime = starvation >= (event.kind === 'taskStarved' ? 6 : 4);
    this.#checks.holds('I10-starvation', isTime, () => `${event.kind} after ${starvation}`);
  }

  #runMarked(event: Of<'runStopAsked' | 'runInterrupted' | 'runResumed'>): void {
    const run = this.facts.runs.get(event.run);
    if (run === undefined) return;
    if (event.kind === 'runStopAsked') run.isStopping = true;
    else run.isInterrupted = event.kind === 'runInterrupted';
    if (event.kind === 'runResumed' && event.policy !== undefined) run.follow(event.policy);
  }

  /** Whoever is resumed has waited for nothing else until now. */
  #paused(event: Of<'taskPaused' | 'taskResumed'>): void {
    const task = this.#task(event);
    task.isPaused = event.kind === 'taskPaused';
    if (!task.isPaused) task.readySince = event.at;
  }

  /** By whoever holds the task, or by one that was lost and goes on all the same. */
  #undeclaredWritten(event: Of<'undeclaredWritten'>): void {
    const { term, path } = event;
    const holder = this.facts.find(event.run, event.task)?.holder;
    const writer = holder?.term === term ? holder : this.facts.leftoversAt(event.at).get(term);
    if (writer !== undefined) writer.undeclared |= bitOf(path);
  }

  #writesDismissed({ of, paths, at }: Of<'writesDismissed'>): void {
    let files = 0;
    for (const path of paths) files |= bitOf(path);
    const holder = this.facts.find(of.run, of.task)?.holder;
    if (holder !== undefined) holder.undeclared &= ~files;
    for (const leftover of this.facts.leftoversAt(at).values())
      if (nameOf(leftover.work) === nameOf(of)) leftover.undeclared &= ~files;
  }

  /** Whoever was idle and could take something was told of it. */
  #cycleRan(): void {
    const { facts } = this;
    const { mode, isPermitted, isBoardPaused } = facts;
    if (!isPermitted || isBoardPaused || mode === 'high' || mode === 'critical') return;
    for (const run of facts.runs.values())
      for (const task of run.tasks.values()) {
        if (run.isInterrupted || run.hasEndedEarly) break;
        const isTold = !isMissed({ facts, run }, task);
        this.#checks.holds('wake', isTold, () => `nobody is told of ${nameOf(task.work)}`);
      }
  }

  #starvationCounted(event: Of<'starvationCounted'>): void {
    const task = this.#task(event);
    const { cycles } = event.starvation;
    const isNext = cycles === task.starvation + 1 && cycles <= 10;
    this.#checks.holds('I10-starvation', isNext, () => `${event.task} jumps to ${cycles}`);
    const queuedMs = event.at - task.readySince;
    this.#checks.holds('I10-starvation', queuedMs >= 120_000, () => `after ${queuedMs} ms`);
    const isLeftAlone = isIgnored(this.facts, task);
    this.#checks.holds('I10-starvation', isLeftAlone, () => `${event.task}: all are busy`);
    const isTime = event.at - task.starvedAt >= 15_000;
    this.#checks.holds('I10-starvation', isTime, () => `${event.task} is counted too often`);
    task.starvation = cycles;
    task.starvedAt = event.at;
  }

  #workerWoken(event: Of<'workerWoken'>): void {
    const task = this.#task(event);
    const name = `${event.task} for ${event.worker}`;
    if (task.work.asks.doer.kind === 'terminal') {
      const openedAt = Math.max(...task.wokenAt.values());
      const isAlone = event.at - openedAt >= OPENING_MS;
      this.#checks.holds('wake', isAlone, () => `${name}: another one opens a terminal`);
    }
    const last = task.wokenAt.get(event.worker);
    const isFresh = last === undefined || event.at - last >= 60_000;
    this.#checks.holds('wake', isFresh, () => `${name}: again after ${event.at - (last ?? 0)} ms`);
    const isIdle = this.facts.sessions.get(event.worker)?.isIdle === true;
    const holds = this.#holdsAny(event.worker);
    this.#checks.holds('wake', isIdle && !holds, () => `${name}: it is not idle`);
    const isDrained = this.facts.drained.has(event.worker);
    this.#checks.holds('drained', !isDrained, () => `${name}: it is drained`);
    const mayBe = this.facts.isPermitted && !this.facts.isBoardPaused && !task.isPaused;
    this.#checks.holds(
      'wake',
      mayBe && task.state === 'pending',
      () => `${name}: it may not start`,
    );
    task.wokenAt.set(event.worker, event.at);
    if (task.leftBy !== event.worker)
      this.#line.woken(this.facts.sessions.get(event.worker), event);
  }

  #boardChanged(event: Parameters<typeof keepFact>[1] | Of<'loadChanged'>): void {
    if (event.kind === 'placeGone') this.breakers.forgetHost(event.place);
    if (event.kind === 'pathsOwned')
      this.#checks.holds('own', mayOwn(this.facts, event), () => `${event.id}: somebody is there`);
    if (event.kind === 'workerSeen') {
      const before = this.facts.sessions.get(event.worker.id);
      const isNews = JSON.stringify(before) !== JSON.stringify(event.worker);
      this.#checks.holds('greeted', isNews, () => `${event.worker.id} is there already`);
      this.#line.seen(event.worker, { holds: this.#holdsAny(event.worker.id), at: event.at });
    }
    if (event.kind === 'workerLeft') this.#line.left(event.worker);
    if (event.kind === 'wakesForgotten') this.#line.forgetOffers();
    if (event.kind !== 'loadChanged') {
      keepFact(this.facts, event);
      return;
    }
    const expected = modeOf(this.facts, event.at);
    // What was decided in the same turn and written before it has changed how many wait.
    const isFirst = this.#movedAt < event.at;
    const isRight = !isFirst || event.mode === expected;
    this.#checks.holds('I17', isRight, () => `${event.mode} is not ${expected}`);
    this.facts.mode = event.mode;
    this.facts.modeSince = event.at;
  }
}

const QUIET = new Set(['leaseRenewed', 'taskStarted', 'endAnnounced', 'holderLeft']);

/** Decided in the turn before its claims, and not on the board when those are. */
function isOfOthers({ kind }: TaskEvent): boolean {
  return kind === 'taskSkipped' || kind === 'taskCancelled' || kind === 'taskRevived';
}

/** An agent that has ended lost its claim when the grace was over. */
function isEndOfLease(cause: Extract<TaskEvent, { kind: 'taskLost' }>['cause']): boolean {
  return cause === 'lease-expired' || cause === 'agent-ended';
}

/** A transaction: what somebody new says first, or a turn, or the first turn of somebody new. */
interface Writing {
  readonly at: number;
  readonly isBeginning: boolean;
  readonly isTakeOver: boolean;
  /** When that is, in true time. */
  readonly trueAt: number;
  /** For how long nothing has kept this process from its work. */
  readonly calmMs: number;
}

const SLEPT_MS = 15_000;
/** So long whoever begins waits for hosts that are silent. */
const PATIENCE_MS = 60_000;
/** So long after it was found every command is known. */
const FOUND_MS = 8000;
/** So long after all is mended every command has been found. */
const MENDED_MS = 60_000;
