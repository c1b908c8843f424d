import { type Cursor, Heap, type Slotted, SLOTTED } from '../../domain/heap.ts';
import type { TaskId } from '../../domain/ids.ts';
import { NO_TALLY, type Tally } from '../model/cycle-report.ts';
import { type Lane, startsBefore, type TaskEntry } from '../model/run-model.ts';
import type { Reason } from '../model/reason.ts';

/** The ready tasks of some lanes in their order, gone through one by one or a lane at a time. */
export class ReadyOrder {
  readonly #lanes = new Heap<LaneScan>(BY_FIRST, SLOTTED);
  readonly #all: LaneScan[] = [];

  constructor(lanes: Iterable<Lane>) {
    for (const lane of lanes) {
      const next = lane.ready.peek();
      if (next === undefined) continue;
      const scan = { slot: -1, lane, cursor: undefined, next, left: lane.ready.size };
      this.#all.push(scan);
      this.#lanes.push(scan);
    }
  }

  /** Leaves out the lanes at whose first task nobody needs to look, in no order. */
  keepLanes(isOfUse: (first: TaskEntry) => boolean): void {
    // The last to come in stand far behind, and are taken out with little ado.
    for (const scan of this.#all.toReversed())
      if (scan.slot >= 0 && !isOfUse(scan.next)) this.#lanes.remove(scan);
  }

  get first(): TaskEntry | undefined {
    return this.#lanes.peek()?.next;
  }

  /** Goes on behind the first. */
  pass(): void {
    const scan = this.#lanes.pop();
    if (scan === undefined) return;
    const next = nextOf(scan);
    if (next === undefined) return;
    scan.next = next;
    this.#lanes.push(scan);
  }

  /** Goes on behind all that ask for the same as the first: so many, and the ids of some of them. */
  passLane(idsLimit = 0): Tally<TaskId> {
    const scan = this.#lanes.pop();
    if (scan === undefined) return NO_TALLY;
    const count = scan.left;
    const first: TaskId[] = [];
    for (
      let next: TaskEntry | undefined = scan.next;
      next !== undefined && first.length < idsLimit;
      next = nextOf(scan)
    )
      first.push(next.id);
    return { count, first };
  }

  /** Brings back what was passed. */
  lookAgainAt(entry: TaskEntry): void {
    const { lane } = entry;
    if (lane === undefined) return;
    this.#lanes.push({ slot: -1, lane, cursor: NOTHING, next: entry, left: 1 });
  }
}

interface LaneScan extends Slotted {
  readonly lane: Lane;
  /** Most lanes are left at their first task, and need none. */
  cursor: Cursor<TaskEntry> | undefined;
  next: TaskEntry;
  /** How many there are from `next` on. */
  left: number;
}

const BY_FIRST = {
  keyOf: ({ next }: LaneScan): number => -next.pathMs,
  isBefore: (a: LaneScan, b: LaneScan): boolean => startsBefore(a.next, b.next),
};

const NOTHING: Cursor<TaskEntry> = { next: () => undefined };

function nextOf(scan: LaneScan): TaskEntry | undefined {
  scan.left -= 1;
  if (scan.cursor === undefined) {
    scan.cursor = scan.lane.ready.cursor();
    scan.cursor.next();
  }
  return scan.cursor.next();
}

/** What keeps back one task of a lane because of what it asks for keeps back all of them. */
export function isSharedByLane(reason: Reason): boolean {
  switch (reason.kind) {
    case 'hazard':
      return false;
    case 'outranked':
      return reason.by.kind === 'load';
    default:
      return true;
  }
}
