import { isPushed } from '../../server/domain/asks.ts';
import type { TaskEvent } from '../../server/domain/task.ts';
import type { BoardEvent } from '../../server/scheduler/model/board-event.ts';
import { nameOf, type Physical } from './physical.ts';
import { isIgnored, keepFact, mayOwn, modeOf } from './shadow-board.ts';
import { ShadowBreakers } from './shadow-breakers.ts';
import { checkClaim, placeOfWorker } from './shadow-claim.ts';
import { followTask } from './shadow-follow.ts';
import { finishShadow, reviseShadow, submitRun } from './shadow-run.ts';
import { isMissed, ShadowOrder } from './shadow-order.ts';
import { followEdges } from './shadow-ready.ts';
import { ShadowFacts, type ShadowTask } from './shadow-task.ts';
import type { Checks } from './violation.ts';
import { filesOf } from './work.ts';

type Of<Kind extends BoardEvent['kind']> = Extract<BoardEvent, { kind: Kind }>;

/**
 * Reads the ledger as it is written and refuses what must not be in it. It shares no code with the
 * scheduler but the names of things.
 */
export class Shadow {
  readonly facts = new ShadowFacts();
  readonly breakers: ShadowBreakers;
  readonly #checks: Checks;
  readonly #physical: Physical;
  readonly #order: ShadowOrder;
  /** When a task moved last. */
  #movedAt = 0;
  #skippedAt = 0;

  constructor(checks: Checks, physical: Physical) {
    this.#checks = checks;
    this.#physical = physical;
    this.breakers = new ShadowBreakers(checks);
    this.#order = new ShadowOrder(checks);
  }

  read(event: BoardEvent): void {
    const at = event.kind === 'taskMoved' ? event.event.at : event.at;
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
      case 'starvationCounted':
        this.#starvationCounted(event);
        break;
      case 'workerWoken':
        this.#workerWoken(event);
        break;
      default:
        this.#boardChanged(event);
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
      facts.lastTerm = event.term;
      physical.claimed.set(event.term, nameOf({ run, task }));
    }
    this.#movedAt = event.at;
    if (event.kind !== 'leaseRenewed' && event.kind !== 'taskStarted') this.facts.newsAt = event.at;
    if (isOfOthers(event)) this.#skippedAt = event.at;
    const worker = event.kind === 'taskClaimed' ? event.worker : shadow.holder?.worker;
    const place = worker === undefined ? undefined : placeOfWorker(worker);
    this.breakers.follow(event, { work: shadow.work, place });
    this.#keepLeftover(shadow, event);
    const { state } = shadow;
    followTask({ run: ofRun, task: shadow, event, checks: this.#checks, factor: this.#factor });
    if (shadow.state === 'pending' && (state !== 'pending' || event.kind === 'taskRetried'))
      shadow.readySince = shadow.notBefore === 0 ? event.at : shadow.notBefore;
    if (shadow.state !== state) followEdges(ofRun, event.at);
  }

  /** How far limits are stretched now. */
  get #factor(): number {
    return { normal: 1, moderate: 1.5, high: 2.5, critical: 5 }[this.facts.mode];
  }

  /** Who was lost or sent away while at work may go on; what is ours and was stopped does not. */
  #keepLeftover({ work, holder }: ShadowTask, event: TaskEvent): void {
    if (holder === undefined) return;
    const isOurs = isPushed(work.asks.doer);
    const isLost =
      event.kind === 'taskLost' && (event.cause === 'lease-expired' || event.cause === 'host-lost');
    const isSentAway = event.kind === 'taskCancelled' && !isOurs;
    const mayHaveBegun = isOurs || holder.startedAt !== undefined || holder.undeclared !== 0;
    if (!(isLost || isSentAway) || !mayHaveBegun) return;
    const until = isOurs ? undefined : Math.max(event.at + 60_000, holder.expiresAt ?? 0);
    const { term, worker, undeclared } = holder;
    this.facts.keepLeftover(term, { work, place: placeOfWorker(worker), undeclared, until });
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
    if (writer !== undefined) writer.undeclared |= filesOf([path]);
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
    const last = task.wokenAt.get(event.worker);
    const isFresh = last === undefined || event.at - last >= 60_000;
    this.#checks.holds('wake', isFresh, () => `${name}: again after ${event.at - (last ?? 0)} ms`);
    const isIdle = this.facts.sessions.get(event.worker)?.isIdle === true;
    const holds = this.facts
      .holders()
      .some(({ holder, work }) => holder?.worker === event.worker && !isPushed(work.asks.doer));
    this.#checks.holds('wake', isIdle && !holds, () => `${name}: it is not idle`);
    const mayBe = this.facts.isPermitted && !this.facts.isBoardPaused && !task.isPaused;
    this.#checks.holds(
      'wake',
      mayBe && task.state === 'pending',
      () => `${name}: it may not start`,
    );
    task.wokenAt.set(event.worker, event.at);
  }

  #boardChanged(event: Parameters<typeof keepFact>[1] | Of<'loadChanged'>): void {
    if (event.kind === 'pathsOwned')
      this.#checks.holds('own', mayOwn(this.facts, event), () => `${event.id}: somebody is there`);
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

/** Decided in the turn before its claims, and not on the board when those are. */
function isOfOthers({ kind }: TaskEvent): boolean {
  return kind === 'taskSkipped' || kind === 'taskCancelled' || kind === 'taskRevived';
}
