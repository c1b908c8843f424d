import type { Budget } from '../../domain/paths/overlap.ts';
import { isForPerson, isPushed, UNMEASURED_MS } from '../../domain/asks.ts';
import { mayCall } from '../../domain/failure/circuit-breaker.ts';
import type { HolderState } from '../../domain/task.ts';
import { type Instant, instant, NEVER } from '../../domain/time.ts';
import type { BoardModel } from '../model/board-model.ts';
import { LATE_MS, OVERDUE_MS, PATIENCE_MS } from '../model/late.ts';
import { missingAt, placesFor } from './places.ts';
import { intentOf } from '../model/owner-table.ts';
import { type Collision, type Owner, Ownership } from '../model/ownership.ts';
import type { OutrankedBy } from '../model/reason.ts';
import { startsBefore, type TaskEntry } from '../model/run-model.ts';
import { amountOf, PARALLEL, poolOf, type Usage, type Use } from './usage.ts';
import { LOCAL, type Place, runnerAt } from '../model/workers.ts';

/** What reservations need to know of the turn they belong to. */
interface TurnSoFar {
  readonly board: BoardModel;
  readonly now: Instant;
  readonly usage: Usage;
  readonly steps: Budget;
  collisions(entry: TaskEntry): readonly Collision[];
}

/** A start that is kept for a task which waits for others to end. */
interface Reservation {
  readonly entry: TaskEntry;
  /** When those it waits for have ended, as far as anybody knows. */
  readonly startsAt: Instant;
  readonly urgency: Urgency;
  /** What is left of each pool then, once it has started. */
  readonly spare: Map<string, number>;
  readonly files: Ownership | undefined;
  /** Somebody is at its files now. */
  readonly isBlockedByFiles: boolean;
}

interface Start {
  readonly startsAt: number;
  /** What is left of each pool then. */
  readonly spare: Map<string, number>;
}

interface Ends {
  readonly urgency: Urgency;
  readonly count: number;
  readonly list: readonly { readonly use: Use; readonly at: number }[];
}

/** Those behind would start so late that nothing is known of it. */
const RESERVATION_LIMIT = 16;
/** How many are looked at for a start in a turn; of the first ones nobody may know any. */
export const LOOK_LIMIT = 64;

export function isOverdue({ readySince }: TaskEntry, now: Instant): boolean {
  return now - readySince >= OVERDUE_MS;
}

/** 0: higher classes may delay it; 1: nobody may; 2: not even where holders are far too late. */
type Urgency = 0 | 1 | 2;

function urgencyOf({ readySince }: TaskEntry, now: Instant): Urgency {
  const waitedMs = now - readySince;
  if (waitedMs >= PATIENCE_MS) return 2;
  return waitedMs >= OVERDUE_MS ? 1 : 0;
}

/**
 * Starts kept free for tasks that need much: a smaller one may go first only while that does not
 * delay them. Nothing here is remembered from turn to turn; it follows from who holds what.
 */
export class Reservations {
  readonly #turn: TurnSoFar;
  readonly #reservations: Reservation[] = [];
  #looks = 0;
  /** The ends that were worked out last, with what they depend on. */
  #ends: Ends | undefined;

  constructor(turn: TurnSoFar) {
    this.#turn = turn;
  }

  /** Nobody more is looked at in this turn. */
  get isFull(): boolean {
    return this.#reservations.length === RESERVATION_LIMIT || this.#looks === LOOK_LIMIT;
  }

  /**
   * For a task that only waits for what others hold. Where nobody knows when those end, no start is
   * kept, until it is overdue.
   */
  add(entry: TaskEntry): void {
    if (this.isFull || this.has(entry)) return;
    this.#looks += 1;
    const { now } = this.#turn;
    const filesAt = this.#whenFilesAreFree(entry);
    const { startsAt, spare } = this.#whenThereIsEnough(entry);
    const at = Math.max(startsAt, filesAt ?? now);
    if (at >= NEVER) return;
    this.#reservations.push({
      entry,
      startsAt: instant(at),
      urgency: urgencyOf(entry, now),
      spare,
      files: this.#filesOf(entry),
      isBlockedByFiles: filesAt !== undefined,
    });
  }

  /** Whose start `entry` would delay by starting now. */
  outranks(entry: TaskEntry, place = LOCAL): OutrankedBy | undefined {
    const use = { entry, asks: entry.asks, place };
    for (const reservation of this.#reservations) {
      if (reservation.entry === entry || this.#endsBefore(reservation, entry)) continue;
      const isAhead = precedes(reservation.entry, entry);
      if (!isAhead && reservation.urgency === 0) continue;
      if (isOverdue(entry, this.#turn.now) && waitsLonger(entry, reservation.entry)) continue;
      const slipsIn = takesTooMuch(reservation, use, isAhead);
      if (!slipsIn && !this.#meets(reservation, entry, isAhead)) continue;
      const { startsAt } = reservation;
      return { kind: 'task', task: reservation.entry.id, startsAt };
    }
    return undefined;
  }

  /** What a claim of this turn takes is not to spare any more. */
  use(use: Use & { readonly entry: TaskEntry }): void {
    const own = this.#reservations.findIndex(({ entry }) => entry === use.entry);
    if (own >= 0) this.#reservations.splice(own, 1);
    for (const reservation of this.#reservations)
      if (!this.#endsBefore(reservation, use.entry))
        for (const [key, left] of reservation.spare)
          reservation.spare.set(key, left - amountOf(use, key));
    this.#blockBy(use.entry);
  }

  /** Those that could start now, and that a claim of this turn holds back by its files, wait for its end. */
  #blockBy(claimed: TaskEntry): void {
    if (!claimed.touchesFiles) return;
    const { now } = this.#turn;
    for (const [index, reservation] of [...this.#reservations.entries()].toReversed()) {
      const { files, isBlockedByFiles, entry, startsAt } = reservation;
      if (
        isBlockedByFiles ||
        files?.anyBlocking(intentOf(claimed), now, this.#turn.steps) === undefined
      )
        continue;
      const at = Math.max(startsAt, this.#endOf(claimed, entry));
      if (at >= NEVER) this.#reservations.splice(index, 1);
      else
        this.#reservations[index] = {
          ...reservation,
          startsAt: instant(at),
          isBlockedByFiles: true,
        };
    }
  }

  /** Those whose starts are kept. */
  get kept(): readonly TaskEntry[] {
    return this.#reservations.map(({ entry }) => entry);
  }

  /** Whether a start is kept for it. */
  has(entry: TaskEntry): boolean {
    return this.#reservations.some((reservation) => reservation.entry === entry);
  }

  #endsBefore({ startsAt, urgency }: Reservation, { asks }: TaskEntry): boolean {
    // Who was never measured may take for ever.
    if (urgency > 0 && asks.expectedMs === undefined) return false;
    return this.#turn.now + (asks.expectedMs ?? UNMEASURED_MS) <= startsAt;
  }

  /** At the place where that is earliest. */
  #whenThereIsEnough(entry: TaskEntry): Start {
    const { board } = this.#turn;
    let best: Start = { startsAt: NEVER, spare: new Map() };
    for (const place of placesFor(board, isPushed(entry.asks.doer) ? entry.asks.hosts : [])) {
      if (this.#isOut(entry, place)) continue;
      const start = this.#startAt(entry, place);
      if (start.startsAt < best.startsAt) best = start;
    }
    return best;
  }

  /** Whether it takes nothing now, and nobody knows when it does again. */
  #isOut({ asks }: TaskEntry, place: Place): boolean {
    const { board, usage, now } = this.#turn;
    const { name, runner, breaker, limits } = place;
    if (name === LOCAL) return false;
    if (!place.isReachable || board.workers.isDrained(runner)) return true;
    if (usage.countAt(name) >= (limits['parallel'] ?? Number.POSITIVE_INFINITY)) return true;
    return mayCall(breaker, now).kind === 'refused' || missingAt(board, asks, place).length > 0;
  }

  /** Lets those who hold something end one after the other, until there is enough of everything. */
  #startAt(entry: TaskEntry, place: Place): Start {
    const { run, asks } = entry;
    const { usage, now } = this.#turn;
    const spare = new Map<string, number>();
    for (const name in asks.resources) {
      const pool = poolOf(name, { run, place });
      if (pool === undefined) return { startsAt: NEVER, spare };
      spare.set(pool.key, pool.limit - usage.of(pool.key) - (asks.resources[name] ?? 0));
    }
    // Places are given back all the time: only who has waited too long has one kept.
    if (place.name === LOCAL && isOverdue(entry, now) && isPushed(asks.doer))
      spare.set(PARALLEL, run.manifest.policy.parallel - usage.of(PARALLEL) - 1);
    const isEnough = (): boolean => [...spare.values()].every((left) => left >= 0);
    if (isEnough()) return { startsAt: now, spare };
    for (const { use, at } of this.#endsFor(entry)) {
      for (const [key, left] of spare) spare.set(key, left + amountOf(use, key));
      if (isEnough()) return { startsAt: at, spare };
    }
    return { startsAt: NEVER, spare };
  }

  /** Those who hold something, the first to end first. */
  #endsFor(waiting: TaskEntry): Ends['list'] {
    const { usage, now } = this.#turn;
    const urgency = urgencyOf(waiting, now);
    const count = usage.all.length;
    if (this.#ends?.urgency === urgency && this.#ends.count === count) return this.#ends.list;
    const list = usage.all
      .map((use) => ({ use, at: this.#endOf(use.entry, waiting) }))
      .filter(({ at }) => at < NEVER)
      .toSorted((a, b) => a.at - b.at);
    this.#ends = { urgency, count, list };
    return list;
  }

  /** `undefined` where nobody is at them. */
  #whenFilesAreFree(entry: TaskEntry): number | undefined {
    // Nobody knows when it is proved that nothing is left of its lost attempt.
    if (entry.leftover !== undefined) return NEVER;
    if (!entry.touchesFiles) return undefined;
    // Whom it was last seen to meet is asked first: often nobody knows when that one ends.
    const { owner: known } = entry.blockedBy ?? {};
    if (known?.isLive === true && this.#endOfOwner(known, entry) >= NEVER) return NEVER;
    let at: number | undefined;
    for (const { owner, rule } of this.#turn.collisions(entry)) {
      if (rule !== 'wait' && rule !== 'ask') continue;
      at = Math.max(at ?? 0, this.#endOfOwner(owner, entry));
      if (at >= NEVER) return NEVER;
    }
    return at;
  }

  #endOfOwner({ who }: Owner, waiting: TaskEntry): number {
    const holder = who.kind === 'task' ? this.#turn.board.find(who.run, who.task) : undefined;
    return holder === undefined ? NEVER : this.#endOf(holder, waiting);
  }

  /**
   * When a holder ends, for whoever waits for it. Nobody knows of people and of what was lost, nor of
   * what was never measured or takes longer than it did. Who is overdue takes the latter to end any
   * moment for a while, so that nobody overtakes it; who is out of patience, for as long as it takes.
   */
  #endOf(holding: TaskEntry | undefined, waiting: TaskEntry): number {
    const { now } = this.#turn;
    if (holding === undefined || isForPerson(holding.asks.doer)) return NEVER;
    const { claim, asks, state } = holding;
    if (state.kind === 'attention') return NEVER;
    const { holder } = claim ?? {};
    const since = holder === undefined ? now : sinceOf(holder);
    const at = since + (asks.expectedMs ?? 0);
    if (asks.expectedMs !== undefined && at >= now) return at;
    const needed = now - at < LATE_MS ? 1 : 2;
    return urgencyOf(waiting, now) >= needed ? now : NEVER;
  }

  #filesOf(entry: TaskEntry): Ownership | undefined {
    if (!entry.touchesFiles) return undefined;
    const files = new Ownership(this.#turn.board.owners.rules);
    const { run, id: task } = entry;
    const who = { kind: 'task', run: run.manifest.id, task } as const;
    files.add({ ...intentOf(entry), worker: runnerAt(LOCAL), who, isLive: true });
    return files;
  }

  #meets(reservation: Reservation, entry: TaskEntry, isAhead: boolean): boolean {
    const { files, isBlockedByFiles } = reservation;
    if (files === undefined || !entry.touchesFiles) return false;
    // Where both could start, the order between them decides, unless one slips in for needing less.
    if (!isAhead && !isBlockedByFiles && !isPushedAside(reservation, entry)) return false;
    return files.anyBlocking(intentOf(entry), this.#turn.now, this.#turn.steps) !== undefined;
  }
}

/** Others like `entry` could take its turn again and again, each with a part of its files. */
function isPushedAside({ entry: waiting, urgency }: Reservation, { paths }: TaskEntry): boolean {
  if (urgency === 2) return true;
  const { writes } = waiting.paths;
  return paths.writes.isWithin(writes) && !writes.isWithin(paths.writes);
}

/** When a holder began. */
function sinceOf(holder: HolderState): Instant {
  return holder.kind === 'running' ? holder.startedAt : holder.claimedAt;
}

/** Of those that have waited too long, the one that has waited longest comes first. */
export function waitsLonger(a: TaskEntry, b: TaskEntry): boolean {
  return a.readySince === b.readySince ? precedes(a, b) : a.readySince < b.readySince;
}

function precedes(reserved: TaskEntry, entry: TaskEntry): boolean {
  if (reserved.rank !== entry.rank) return reserved.rank < entry.rank;
  return startsBefore(reserved, entry);
}

/**
 * Whoever comes later in the order must leave enough. Whoever comes earlier must do so only where it
 * slips in because it needs less: otherwise the order between them decides.
 */
function takesTooMuch({ spare, entry }: Reservation, use: Use, isAhead: boolean): boolean {
  for (const [key, left] of spare) {
    if (amountOf(use, key) <= Math.max(0, left)) continue;
    const needsLess =
      key === PARALLEL
        ? limitOf(use.entry ?? entry) > limitOf(entry)
        : amountOf(use, key) < amountOf({ asks: entry.asks, place: use.place, entry }, key);
    if (needsLess || (isAhead && key !== PARALLEL)) return true;
  }
  return false;
}

function limitOf({ run }: TaskEntry): number {
  return run.manifest.policy.parallel;
}
