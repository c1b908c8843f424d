import { Heap, type Cursor, type Slotted } from '../../domain/heap.ts';
import { takeTurn } from '../../domain/priority.ts';
import { instant } from '../../domain/time.ts';
import { hasNoPlace, mayStart, type Verdict } from '../predicate/may-start.ts';
import type { Reason } from '../predicate/reasons.ts';
import { isOverdue } from '../predicate/reservations.ts';
import { type Lane, startsBefore, type TaskEntry } from '../model/run-model.ts';
import type { Turn } from '../predicate/turn.ts';
import { isFit } from '../predicate/welcome.ts';
import type { Place } from '../model/workers.ts';

/**
 * Claims for runners of ours, as long as something can start. The classes take turns; inside a class
 * the order decides, and a task that finds no place keeps its start while smaller ones go first.
 */
export function claimReady(turn: Turn): void {
  if (hasNoPlace(turn)) return;
  const { pushLanes, pullLanes } = turn.board.ready;
  const classes: ClassScan[] = [];
  for (let rank = 0; rank < pushLanes.length; rank += 1) {
    const lanes = pushLanes[rank]!;
    if (lanes.size === 0) continue;
    for (const lane of lanes) reserveOverdue(turn, lane);
    classes.push(new ClassScan(turn, rank, lanes));
  }
  if (classes.length === 0) return;
  for (const lane of pullLanes) if (isWanted(turn, lane)) reserveOverdue(turn, lane);
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

/** As many of those who have waited too long are looked at as a turn has time for. */
const LOOK_LIMIT = 64;

/**
 * Whoever has waited too long is not overtaken by those that need less, of whatever class. Tasks of a
 * lane ask for the same, so one of them is enough; but their files differ.
 */
function reserveOverdue(turn: Turn, lane: Lane): void {
  let entry = lane.oldest;
  if (entry === undefined || !isOverdue(entry, turn.now)) return;
  if (needsMore(turn, lane)) reserveIfHeldBack(turn, entry);
  for (let count = 0; count < LOOK_LIMIT && entry !== undefined; count += 1) {
    if (turn.reservations.isFull || !isOverdue(entry, turn.now)) return;
    if (entry.touchesFiles) reserveIfHeldBack(turn, entry);
    entry = entry.newer;
  }
}

function reserveIfHeldBack(turn: Turn, entry: TaskEntry): void {
  const verdict = mayStart(turn, entry, { isQuick: true });
  // One that could start may be overtaken in this very turn.
  if (verdict.kind === 'yes' || waitsForOthers(verdict, isHeldByOthers))
    turn.reservations.add(entry);
}

/** Others may need less of something, or belong to a run that may do more at once. */
function needsMore({ board }: Turn, { asks, run }: Lane): boolean {
  if (Object.keys(asks.resources).length > 0) return true;
  const { parallel } = run.manifest.policy;
  for (const other of board.runs.values())
    if (other.manifest.policy.parallel > parallel) return true;
  return false;
}

/** An agent is idle that could take it: no start is kept for people, who come when it suits them. */
function isWanted({ board }: Turn, { oldest }: Lane): boolean {
  if (oldest === undefined) return false;
  const { sessions } = board.workers;
  for (const worker of sessions.values())
    if (
      worker.kind === 'agent' &&
      worker.isIdle &&
      board.claims.holdsNothing(worker.id) &&
      isFit(oldest, worker)
    )
      return true;
  return false;
}

interface Candidate {
  readonly entry: TaskEntry;
  readonly place: Place;
}

/** The ready tasks of one class in their order, without those that cannot start now. */
class ClassScan {
  readonly rank: number;
  readonly #turn: Turn;
  readonly #lanes = new Heap<LaneScan>((a, b) => startsBefore(a.next, b.next));
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
      if (waitsForOthers(verdict, isHeldForAWhile)) this.#turn.reservations.add(entry);
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

function waitsForOthers(verdict: Verdict, counts: (reason: Reason) => boolean): boolean {
  return verdict.kind === 'no' && verdict.reasons.some(counts);
}

/** Others have what it needs, and will let it go. */
function isHeldForAWhile({ kind }: Reason): boolean {
  return kind === 'resources' || kind === 'hazard';
}

/** For whom has waited too long, a place among the parallel ones is kept too. */
function isHeldByOthers(reason: Reason): boolean {
  return isHeldForAWhile(reason) || reason.kind === 'parallel';
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
  const { run, definition, asks, state, pathMs, readySince } = entry;
  const { revision, attempts } = state.tries;
  turn.decisions.push({
    kind: 'claim',
    run: run.manifest.id,
    task: definition.id,
    revision,
    attempt: attempts + 1,
    worker: place.runner,
    ...(asks.leaseMs !== undefined && { expiresAt: instant(turn.now + asks.leaseMs) }),
    contending,
    pathMs,
    readySince,
  });
  turn.claim(entry, place);
}
