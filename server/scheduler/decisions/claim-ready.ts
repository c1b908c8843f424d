import { takeTurn } from '../../domain/priority.ts';
import { hasNoPlace, mayStart } from '../predicate/may-start.ts';
import { claimOf } from '../decision.ts';
import { waitsForOthers } from './keep-starts.ts';
import { isSharedByLane, ReadyOrder } from './ready-order.ts';
import type { Lane, TaskEntry } from '../model/run-model.ts';
import { LOOK_LIMIT } from '../predicate/reservations.ts';
import type { Turn } from '../predicate/turn.ts';
import type { Place } from '../model/workers.ts';

/**
 * Claims for runners of ours, as long as something can start. The classes take turns; inside a class
 * the order decides, and a task that finds no place keeps its start while smaller ones go first.
 */
export function claimReady(turn: Turn): void {
  if (hasNoPlace(turn)) return;
  const { pushLanes } = turn.board.ready;
  const classes: ClassScan[] = [];
  for (let rank = 0; rank < pushLanes.length; rank += 1) {
    const lanes = pushLanes[rank]!;
    if (lanes.size === 0) continue;
    classes.push(new ClassScan(turn, rank, lanes));
  }
  for (;;) {
    let contending = 0;
    for (const scan of classes) if (scan.find()) contending |= 1 << scan.rank;
    if (contending === 0) return;
    const { index, credits } = takeTurn(turn.credits, contending);
    turn.credits = credits;
    const served = classes.find(({ rank }) => rank === index);
    if (served?.found === undefined) continue;
    const isKept = turn.isKept(served.found.entry);
    claim(turn, served.found, contending);
    if (hasNoPlace(turn)) return;
    served.pass();
    if (isKept) for (const scan of classes) scan.lookAgain();
  }
}

interface Candidate {
  readonly entry: TaskEntry;
  readonly place: Place;
}

/** The ready tasks of one class in their order, without those that cannot start now. */
class ClassScan {
  readonly rank: number;
  readonly #turn: Turn;
  readonly #order: ReadyOrder;
  /** Those that would have delayed somebody whose start was kept. */
  #outranked: TaskEntry[] = [];
  #isThinned = false;
  /** The next one that can start, after everything that was claimed in this turn. */
  found: Candidate | undefined;

  constructor(turn: Turn, rank: number, lanes: ReadonlySet<Lane>) {
    this.rank = rank;
    this.#turn = turn;
    this.#order = new ReadyOrder(lanes);
  }

  find(): boolean {
    this.found = undefined;
    for (let entry = this.#order.first; entry !== undefined; entry = this.#order.first) {
      if (this.#keepsNobody()) continue;
      const verdict = mayStart(this.#turn, entry, { isQuick: true });
      if (verdict.kind === 'yes') {
        if (verdict.place !== undefined) this.found = { entry, place: verdict.place };
        return this.found !== undefined;
      }
      if (waitsForOthers(verdict)) this.#turn.reservations.add(entry);
      const [reason] = verdict.reasons;
      if (isSharedByLane(reason)) this.#order.passLane();
      else {
        this.#order.pass();
        if (reason.kind === 'outranked' && this.#outranked.length < LOOK_LIMIT)
          this.#outranked.push(entry);
      }
    }
    return false;
  }

  pass(): void {
    this.#order.pass();
  }

  /** Once no more starts are kept, the order between those that cannot start is of no use. */
  #keepsNobody(): boolean {
    if (this.#isThinned || !this.#turn.reservations.isFull) return false;
    this.#isThinned = true;
    this.#order.keepLanes((first) => {
      const verdict = mayStart(this.#turn, first, { isQuick: true });
      return verdict.kind === 'yes' || !isSharedByLane(verdict.reasons[0]);
    });
    return true;
  }

  /** Whoever stood back for what has just been claimed may start now, or has its own start kept. */
  lookAgain(): void {
    for (const entry of this.#outranked) this.#order.lookAgainAt(entry);
    this.#outranked = [];
  }
}

function claim(turn: Turn, { entry, place }: Candidate, contending: number): void {
  const { leaseMs } = entry.asks;
  const { runner: worker } = place;
  turn.decisions.push(claimOf(entry, { worker, leaseMs, contending, now: turn.now }));
  turn.claim(entry, place);
}
