import { isPushed } from '../../server/domain/asks.ts';
import { unreachable } from '../../server/domain/assert.ts';
import type { LoadMode } from '../../server/domain/failure/load.ts';
import type { BoardEvent } from '../../server/scheduler/model/board-event.ts';
import { nameOf, type Physical } from './physical.ts';
import { ShadowBreakers } from './shadow-breakers.ts';
import { checkClaim, placeOfWorker, readyTasks } from './shadow-claim.ts';
import { followTask } from './shadow-follow.ts';
import { finishShadow, reviseShadow, submitRun } from './shadow-run.ts';
import { ShadowFacts } from './shadow-task.ts';
import type { Checks } from './violation.ts';
import { filesOf } from './work.ts';

type Of<Kind extends BoardEvent['kind']> = Extract<BoardEvent, { kind: Kind }>;

/**
 * Reads the ledger as it is written and refuses what must not be in it. It shares no code with the
 * scheduler but the names of things.
 */
export class Shadow {
  readonly facts = new ShadowFacts();
  isPermitted = true;
  readonly #checks: Checks;
  readonly #physical: Physical;
  readonly #breakers: ShadowBreakers;
  /** When a task moved last. */
  #movedAt = 0;
  #skippedAt = 0;

  constructor(checks: Checks, physical: Physical) {
    this.#checks = checks;
    this.#physical = physical;
    this.#breakers = new ShadowBreakers(checks);
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
        this.#task(event).isPaused = event.kind === 'taskPaused';
        break;
      case 'taskStarved':
      case 'workerRequested':
      case 'cycleRan':
      case 'leftoverGone':
        break;
      case 'undeclaredWritten': {
        const { holder } = this.#task(event);
        if (holder?.term === event.term) holder.undeclared |= filesOf([event.path]);
        break;
      }
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

  #taskMoved({ run, task, event }: Of<'taskMoved'>): void {
    const shadow = this.#task({ run, task });
    const ofRun = this.facts.runs.get(run)!;
    if (event.kind === 'taskClaimed') {
      const { facts } = this;
      const [checks, physical, isPermitted] = [this.#checks, this.#physical, this.isPermitted];
      facts.hasSkipped = this.#skippedAt === event.at;
      checkClaim({ facts, run: ofRun, task: shadow, event, checks, physical, isPermitted });
      facts.lastTerm = event.term;
      physical.claimed.set(event.term, nameOf({ run, task }));
    }
    this.#movedAt = event.at;
    if (event.kind === 'taskSkipped' || event.kind === 'taskCancelled') this.#skippedAt = event.at;
    const worker = event.kind === 'taskClaimed' ? event.worker : shadow.holder?.worker;
    const place = worker === undefined ? undefined : placeOfWorker(worker);
    this.#breakers.follow(event, { work: shadow.work, place });
    followTask({ run: ofRun, task: shadow, event, checks: this.#checks });
  }

  #runMarked(event: Of<'runStopAsked' | 'runInterrupted' | 'runResumed'>): void {
    const run = this.facts.runs.get(event.run);
    if (run === undefined) return;
    if (event.kind === 'runStopAsked') run.isStopping = true;
    else run.isInterrupted = event.kind === 'runInterrupted';
  }

  #starvationCounted(event: Of<'starvationCounted'>): void {
    const task = this.#task(event);
    const { cycles } = event.starvation;
    const isNext = cycles === task.starvation + 1 || cycles === 1;
    this.#checks.holds('I10-starvation', isNext, () => `${event.task} jumps to ${cycles}`);
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
    const mayBe = this.isPermitted && !this.facts.isBoardPaused && !task.isPaused;
    this.#checks.holds(
      'wake',
      mayBe && task.state === 'pending',
      () => `${name}: it may not start`,
    );
    task.wokenAt.set(event.worker, event.at);
  }

  #boardChanged(event: Parameters<typeof keepFact>[1] | Of<'loadChanged'>): void {
    if (event.kind !== 'loadChanged') {
      keepFact(this.facts, event);
      return;
    }
    const expected = modeOf(this.facts);
    // What was decided in the same turn and written before it has changed how many wait.
    const isFirst = this.#movedAt < event.at;
    const isRight = !isFirst || event.mode === expected;
    this.#checks.holds('I17', isRight, () => `${event.mode} is not ${expected}`);
    this.facts.mode = event.mode;
    this.facts.modeSince = event.at;
  }
}

function keepFact(
  facts: ShadowFacts,
  event:
    | Of<'boardPaused' | 'boardResumed' | 'loadMeasured' | 'wakesForgotten'>
    | Of<'pathsOwned' | 'pathsFreed' | 'workerSeen' | 'workerLeft'>
    | Of<'placeSeen' | 'agentConfigured' | 'agentLimited'>,
): void {
  switch (event.kind) {
    case 'boardPaused':
    case 'boardResumed':
      facts.isBoardPaused = event.kind === 'boardPaused';
      break;
    case 'loadMeasured':
      facts.load = event.load;
      break;
    case 'wakesForgotten':
      for (const run of facts.runs.values())
        for (const task of run.tasks.values()) task.wokenAt.clear();
      break;
    case 'pathsOwned': {
      const { worker, tree, until } = event;
      const [reads, writes] = [filesOf(event.reads), filesOf(event.writes)];
      facts.owned.set(event.id, { worker, tree, reads, writes, until });
      break;
    }
    case 'pathsFreed':
      facts.owned.delete(event.id);
      break;
    case 'workerSeen':
      facts.sessions.set(event.worker.id, event.worker);
      break;
    case 'workerLeft':
      facts.sessions.delete(event.worker);
      break;
    case 'placeSeen':
      facts.places.set(event.place.name, event.place);
      break;
    case 'agentConfigured':
      facts.agents.set(event.agent.name, event.agent);
      break;
    case 'agentLimited': {
      const until = event.at + (event.retryAfterMs ?? 60_000);
      facts.coolUntil.set(event.agent, Math.max(until, facts.coolUntil.get(event.agent) ?? 0));
      break;
    }
    default:
      unreachable(event);
  }
}

const MODES: readonly LoadMode[] = ['normal', 'moderate', 'high', 'critical'];
const ENTERS = { queue: [0.5, 0.8, 0.95], memory: [0.8, 0.9, 0.97], cpu: [0.9, 0.97, 0.995] };
const HOLDS = { queue: [0.4, 0.7, 0.85], memory: [0.75, 0.85, 0.92], cpu: [0.85, 0.92, 0.945] };

/** The mode that the load and the last mode give. */
function modeOf(facts: ShadowFacts): LoadMode {
  const { load, mode } = facts;
  const queued = readyTasks(facts).length;
  const shares = { queue: queued / load.queueLimit, memory: load.memory, cpu: load.cpu };
  const reached = (steps: typeof ENTERS): number =>
    Math.max(
      steps.queue.filter((least) => shares.queue >= least).length,
      steps.memory.filter((least) => shares.memory >= least).length,
      steps.cpu.filter((least) => shares.cpu >= least).length,
    );
  const held = Math.min(MODES.indexOf(mode), reached(HOLDS));
  return MODES[Math.max(reached(ENTERS), held)] ?? 'normal';
}
