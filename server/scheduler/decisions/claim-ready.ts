import { Heap, type Cursor, type Slotted } from '../../domain/heap.ts';
import { takeTurn } from '../../domain/priority.ts';
import { hasNoPlace, mayStart } from '../predicate/may-start.ts';
import { claimOf } from './decision.ts';
import { waitsForOthers } from './keep-starts.ts';
import type { Reason } from '../predicate/reasons.ts';
import { type Lane, startsBefore, type TaskEntry } from '../model/run-model.ts';
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
    for (const scan of classes) if (scan.candidate() !== undefined) contending |= 1 << scan.rank;
    if (contending === 0) return;
    const { index, credits } = takeTurn(turn.credits, contending);
    turn.credits = credits;
    const candidate = classes.find(({ rank }) => rank === index)?.take();
    if (candidate !== undefined) claim(turn, candidate, contending);
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
  readonly #lanes = new Heap<LaneScan>({
    keyOf: ({ next }) => -next.pathMs,
    isBefore: (a, b) => startsBefore(a.next, b.next),
  });
  #found: Candidate | undefined;

  constructor(turn: Turn, rank: number, lanes: ReadonlySet<Lane>) {
    this.rank = rank;
    this.#turn = turn;
    for (const { ready } of lanes) {
      const cursor = ready.cursor();
      const next = cursor.next();
      if (next !== undefined) this.#lanes.push({ slot: -1, cursor, next });
    }
  }

  /** The next one that can start, after everything that was claimed in this turn. */
  candidate(): Candidate | undefined {
    for (let lane = this.#lanes.peek(); lane !== undefined; lane = this.#lanes.peek()) {
      const entry = lane.next;
      const verdict = mayStart(this.#turn, entry, { isQuick: true });
      if (verdict.kind === 'yes' && verdict.place !== undefined) {
        this.#found = { entry, place: verdict.place };
        return this.#found;
      }
      if (waitsForOthers(verdict)) this.#turn.reservations.add(entry);
      if (verdict.kind === 'no' && isSharedByLane(verdict.reasons[0])) this.#lanes.remove(lane);
      else this.#advance(lane);
    }
    this.#found = undefined;
    return undefined;
  }

  take(): Candidate | undefined {
    const lane = this.#lanes.peek();
    if (lane !== undefined) this.#advance(lane);
    return this.#found;
  }

  #advance(lane: LaneScan): void {
    this.#lanes.remove(lane);
    const next = lane.cursor.next();
    if (next === undefined) return;
    lane.next = next;
    this.#lanes.push(lane);
  }
}

interface LaneScan extends Slotted {
  readonly cursor: Cursor<TaskEntry>;
  next: TaskEntry;
}

/** What keeps back one task of a lane because of what it asks for keeps back all of them. */
function isSharedByLane(reason: Reason): boolean {
  switch (reason.kind) {
    case 'hazard':
      return false;
    case 'outranked':
      return reason.by.kind === 'load';
    default:
      return true;
  }
}

function claim(turn: Turn, { entry, place }: Candidate, contending: number): void {
  const { leaseMs } = entry.asks;
  const { runner: worker } = place;
  turn.decisions.push(claimOf(entry, { worker, leaseMs, contending, now: turn.now }));
  turn.claim(entry, place);
}
