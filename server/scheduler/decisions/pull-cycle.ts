import type { TaskId, WorkerId } from '../../domain/ids.ts';
import { type CycleReport, type SkipReason, tallyOf } from '../model/cycle-report.ts';
import { mayStart } from '../predicate/may-start.ts';
import { pullOrder } from './pull-order.ts';
import type { TaskEntry } from '../model/run-model.ts';
import { FAN_OUT, starve } from './starvation.ts';
import type { Turn } from '../predicate/turn.ts';
import { cameBefore, type Worker } from '../model/workers.ts';

/** Nobody is told of the same task again before this. */
const WAKE_COOLDOWN_MS = 60_000;

/**
 * One round over the tasks that workers take for themselves. It claims nothing: it picks an idle
 * worker for each task and wakes it, each worker for one task at most.
 */
export function runPullCycle(turn: Turn): void {
  // What else this turn decides is not on the board yet; the cycle comes right after it.
  if (turn.decisions.length > 0 || !turn.board.isCycleDue(turn.now)) return;
  const number = turn.board.totals.cycles + 1;
  const cycle = new PullCycle(turn, number);
  const waiting = pullOrder(turn.board);
  for (const entry of waiting) cycle.serve(entry);
  turn.decisions.push({ kind: 'cycle', number, report: cycle.report(waiting) });
}

class PullCycle {
  readonly #turn: Turn;
  readonly #number: number;
  readonly #idle: readonly Worker[];
  /** Those that were not woken yet. */
  #free: readonly Worker[];
  readonly #woken: { readonly task: TaskId; readonly worker: WorkerId }[] = [];
  readonly #starved: TaskId[] = [];
  readonly #skipped = new Map<SkipReason, TaskId[]>();

  constructor(turn: Turn, number: number) {
    const { workers, claims } = turn.board;
    this.#turn = turn;
    this.#number = number;
    this.#idle = [...workers.sessions.values()]
      .filter((worker) => worker.isIdle && claims.holdsNothing(worker.id))
      .toSorted(cameBefore);
    this.#free = this.#idle;
  }

  serve(entry: TaskEntry): void {
    const verdict = mayStart(this.#turn, entry, { isQuick: true });
    // Whoever owns the files that are in the way may take it all the same.
    const isOpen = verdict.kind === 'yes' || verdict.reasons[0].kind === 'hazard';
    const mayTake = (worker: Worker): boolean =>
      isOpen && mayStart(this.#turn, entry, { worker, isQuick: true }).kind === 'yes';
    const ignoring = this.#free.filter((worker) => isIgnoring(entry, worker));
    const free = this.#free.filter(mayTake);
    const fresh = free.filter((worker) => !this.#wasToldOf(entry, worker));
    const [first] = fresh;
    if (first !== undefined) this.#wake(entry, first);
    else this.#skip(entry, verdict.kind === 'no' ? verdict.reasons[0].kind : whyNot(free));
    const rung = starve(this.#turn, entry, {
      couldBeTaken: () => ignoring.some(mayTake),
      verdict,
    });
    if (rung === undefined) return;
    this.#starved.push(entry.id);
    if (rung === 'fan-out')
      for (const worker of fresh.slice(1, 1 + FAN_OUT)) this.#wake(entry, worker);
  }

  report(waiting: readonly TaskEntry[]): CycleReport {
    return {
      waiting: tallyOf(waiting.map(({ id }) => id)),
      idle: tallyOf(this.#idle.map(({ id }) => id)),
      recovered: this.#turn.board.recovered,
      woken: tallyOf(this.#woken),
      starved: tallyOf(this.#starved),
      skipped: Object.fromEntries([...this.#skipped].map(([why, ids]) => [why, tallyOf(ids)])),
    };
  }

  #wasToldOf(entry: TaskEntry, worker: Worker): boolean {
    const at = entry.wokenAt?.get(worker.id);
    return at !== undefined && this.#turn.now - at < WAKE_COOLDOWN_MS;
  }

  #wake(entry: TaskEntry, worker: Worker): void {
    this.#free = this.#free.filter((other) => other !== worker);
    this.#woken.push({ task: entry.id, worker: worker.id });
    this.#turn.decide(entry, { kind: 'wake', worker: worker.id, cycle: this.#number });
  }

  #skip(entry: TaskEntry, why: SkipReason): void {
    const ids = this.#skipped.get(why);
    if (ids === undefined) this.#skipped.set(why, [entry.id]);
    else ids.push(entry.id);
  }
}

/** A person comes when it suits them; an agent that was told and is idle has let it be. */
function isIgnoring({ wokenAt }: TaskEntry, { id, kind }: Worker): boolean {
  return kind === 'agent' && wokenAt?.has(id) === true;
}

function whyNot(free: readonly Worker[]): SkipReason {
  return free.length === 0 ? 'busy' : 'recently-woken';
}
