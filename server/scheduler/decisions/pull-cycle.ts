import type { TaskId, WorkerId } from '../../domain/ids.ts';
import type { BoardModel } from '../model/board-model.ts';
import {
  type CycleReport,
  IDS_LIMIT,
  type SkipReason,
  type Tally,
  tallyOf,
} from '../model/cycle-report.ts';
import type { Lane, TaskEntry } from '../model/run-model.ts';
import { mayStart, openOffers, type Verdict } from '../predicate/may-start.ts';
import type { Turn } from '../predicate/turn.ts';
import { isFit } from '../predicate/welcome.ts';
import type { Worker } from '../model/workers.ts';
import { PullOrder } from './pull-order.ts';
import { isSharedByLane } from './ready-order.ts';
import { canNobody, FAN_OUT, starve } from './starvation.ts';

/** Nobody is told of the same task again before this. */
const WAKE_COOLDOWN_MS = 60_000;

/** So soon nobody else opens a terminal for a task: a program has to start in it before it claims. */
const OPENING_MS = 10_000;

/** As many starving tasks in one cycle as are quickly written; the others when those have ended. */
const STARVED_LIMIT = 100;

/**
 * One round over the tasks that workers take for themselves. It claims nothing: it picks an idle
 * worker for each task and wakes it, each worker for one task at most.
 */
export function runPullCycle(turn: Turn): void {
  const { board, now } = turn;
  // What else this turn decides is not on the board yet; the cycle comes right after it.
  if (turn.decisions.length > 0 || !board.isCycleDue(now)) return;
  const idle = idleWorkers(board);
  // News is for whoever is idle. Where nobody is, it is looked at when it is time.
  if (idle.length === 0 && now < board.nextCycleAt) return;
  const number = board.totals.cycles + 1;
  const report = new PullCycle(turn, { number, idle }).run();
  turn.decisions.push({ kind: 'cycle', number, report });
}

/** Who has waited longest comes first. */
function idleWorkers({ workers, claims, waiters, now }: BoardModel): readonly Worker[] {
  return [...workers.sessions.values()]
    .filter(({ id, isIdle }) => isIdle && claims.holdsNothing(id) && !workers.isDrained(id))
    .toSorted((a, b) => (waiters.isBefore(a.id, b.id, now) ? -1 : 1));
}

class PullCycle {
  readonly #turn: Turn;
  /** With everything taken that agents are offered: no two are woken for what cannot start together. */
  readonly #taken: Turn;
  readonly #number: number;
  readonly #idle: readonly Worker[];
  /** Those that were not woken yet. */
  readonly #free: Set<Worker>;
  /** Those whose own files may be what is in the way. */
  readonly #owners: ReadonlySet<WorkerId>;
  /** Kept for agents that were woken for them a moment ago. */
  readonly #offered: ReadonlySet<TaskEntry>;
  readonly #fit = new Map<Lane, readonly Worker[]>();
  readonly #woken: { readonly task: TaskId; readonly worker: WorkerId }[] = [];
  readonly #starved: TaskId[] = [];
  readonly #skipped = new Map<SkipReason, { count: number; readonly first: TaskId[] }>();
  /** Whose tasks nobody can ever take. */
  readonly #hopeless: Lane[] = [];

  constructor(
    turn: Turn,
    { number, idle }: { readonly number: number; readonly idle: readonly Worker[] },
  ) {
    this.#turn = turn;
    this.#taken = turn.copy();
    this.#number = number;
    this.#idle = idle;
    this.#free = new Set(idle);
    const offers = openOffers(turn);
    this.#offered = new Set(offers.map(({ entry }) => entry));
    for (const { entry, worker } of offers) {
      this.#free.delete(turn.board.workers.sessions.get(worker)!);
      this.#taken.promise(entry, worker);
    }
    this.#owners = new Set([...turn.board.owners.people.values()].map(({ worker }) => worker));
  }

  run(): CycleReport {
    const order = new PullOrder(this.#turn.board);
    for (let entry = order.first; entry !== undefined; entry = order.first) {
      const why = this.#free.size === 0 ? this.#reasonOfLane(entry) : this.#serve(entry);
      if (why === undefined) order.pass();
      else this.#skip(why, order.passLane(IDS_LIMIT));
    }
    this.#countHopeless();
    return this.#report();
  }

  /** Wakes somebody for it, or notes why not. Answers what keeps back all that ask for the same. */
  #serve(entry: TaskEntry): SkipReason | undefined {
    if (this.#offered.has(entry)) {
      this.#skip('recently-woken', { count: 1, first: [entry.id] });
      return undefined;
    }
    const verdict = mayStart(this.#taken, entry, { isQuick: true });
    const shared = this.#sharedReason(entry, verdict);
    if (shared !== undefined) return shared;
    const fit = this.#fitFor(entry).filter((worker) => this.#free.has(worker));
    if (fit.length === 0) return 'busy';
    const takers = leftByLast(entry, this.#takersOf(entry, { verdict, fit }));
    const isIgnored = takers.some((worker) => isIgnoring(entry, worker));
    const isOpening = this.#isOpening(entry);
    const fresh = takers.filter((worker) => !isOpening && !this.#wasToldOf(entry, worker));
    const [first] = fresh;
    if (first !== undefined) {
      this.#wake(entry, first);
      if (first.kind === 'agent') this.#taken.promise(entry, first.id);
    } else
      this.#skip(verdict.kind === 'no' ? verdict.reasons[0].kind : 'recently-woken', {
        count: 1,
        first: [entry.id],
      });
    if (isIgnored && this.#count(entry) === 'fan-out')
      for (const worker of fresh.slice(1, 1 + FAN_OUT)) this.#wake(entry, worker);
    return undefined;
  }

  /** What keeps it back, and all that ask for the same; where nothing does, nobody has time for it. */
  #reasonOfLane(entry: TaskEntry): SkipReason {
    return this.#sharedReason(entry, mayStart(this.#taken, entry, { isQuick: true })) ?? 'busy';
  }

  #sharedReason({ lane }: TaskEntry, verdict: Verdict): SkipReason | undefined {
    if (verdict.kind === 'yes' || !isSharedByLane(verdict.reasons[0])) return undefined;
    if (canNobody(verdict) && lane !== undefined) this.#hopeless.push(lane);
    return verdict.reasons[0].kind;
  }

  #fitFor(entry: TaskEntry): readonly Worker[] {
    const { lane } = entry;
    let fit = lane && this.#fit.get(lane);
    if (fit === undefined) {
      fit = this.#idle.filter((worker) => this.#free.has(worker) && isFit(entry, worker));
      if (lane !== undefined) this.#fit.set(lane, fit);
    }
    return fit;
  }

  #takersOf(
    entry: TaskEntry,
    { verdict, fit }: { readonly verdict: Verdict; readonly fit: readonly Worker[] },
  ): readonly Worker[] {
    if (verdict.kind === 'yes') return fit;
    if (verdict.reasons[0].kind !== 'hazard') return [];
    // Whoever owns the files that are in the way may take it all the same.
    return fit.filter(
      (worker) =>
        this.#owners.has(worker.id) &&
        mayStart(this.#taken, entry, { worker, isQuick: true }).kind === 'yes',
    );
  }

  #isOpening({ asks, wokenAt }: TaskEntry): boolean {
    if (asks.doer.kind !== 'terminal' || wokenAt === undefined) return false;
    return [...wokenAt.values()].some((at) => this.#turn.now - at < OPENING_MS);
  }

  #wasToldOf(entry: TaskEntry, worker: Worker): boolean {
    const at = entry.wokenAt?.get(worker.id);
    if (at === undefined) return false;
    // A person comes when it suits them, however often they are told.
    return worker.kind === 'person' || this.#turn.now - at < WAKE_COOLDOWN_MS;
  }

  #wake(entry: TaskEntry, worker: Worker): void {
    this.#free.delete(worker);
    this.#woken.push({ task: entry.id, worker: worker.id });
    this.#turn.decide(entry, { kind: 'wake', worker: worker.id, cycle: this.#number });
  }

  #count(entry: TaskEntry): ReturnType<typeof starve> {
    if (this.#starved.length === STARVED_LIMIT) return undefined;
    const rung = starve(this.#turn, entry);
    if (rung !== undefined) this.#starved.push(entry.id);
    return rung;
  }

  /** The first of each kind, then the second of each: one kind does not hide the others. */
  #countHopeless(): void {
    const cursors = this.#hopeless.slice(0, STARVED_LIMIT).map(({ ready }) => ready.cursor());
    let looks = 0;
    for (const cursor of cursors) {
      const entry = cursor.next();
      if (entry === undefined) continue;
      this.#count(entry);
      looks += 1;
      if (looks === STARVED_LIMIT) return;
      cursors.push(cursor);
    }
  }

  #skip(why: SkipReason, { count, first }: Tally<TaskId>): void {
    const skipped = this.#skipped.get(why) ?? { count: 0, first: [] };
    this.#skipped.set(why, skipped);
    skipped.count += count;
    skipped.first.push(...first.slice(0, IDS_LIMIT - skipped.first.length));
  }

  #report(): CycleReport {
    return {
      waiting: waitingOn(this.#turn.board),
      idle: tallyOf(this.#idle.map(({ id }) => id)),
      recovered: this.#turn.board.recovered,
      woken: tallyOf(this.#woken),
      starved: tallyOf(this.#starved),
      skipped: Object.fromEntries(this.#skipped),
    };
  }
}

function waitingOn(board: BoardModel): Tally<TaskId> {
  let count = 0;
  for (const { ready } of board.ready.pullLanes) count += ready.size;
  const order = new PullOrder(board);
  const first: TaskId[] = [];
  for (let entry = order.first; entry !== undefined; entry = order.first) {
    if (first.length === IDS_LIMIT) break;
    first.push(entry.id);
    order.pass();
  }
  return { count, first };
}

/** Who had it last may hang still, or could not do it: others try it first. */
function leftByLast({ leftBy }: TaskEntry, takers: readonly Worker[]): readonly Worker[] {
  if (leftBy === undefined) return takers;
  return takers.toSorted((a, b) => Number(a.id === leftBy) - Number(b.id === leftBy));
}

/** A person comes when it suits them; an agent that was told and is idle has let it be. */
function isIgnoring({ wokenAt }: TaskEntry, { id, kind }: Worker): boolean {
  return kind === 'agent' && wokenAt?.has(id) === true;
}
