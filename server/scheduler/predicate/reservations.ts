import { isForPerson, UNMEASURED_MS } from '../../domain/asks.ts';
import { type Instant, instant } from '../../domain/time.ts';
import type { BoardModel } from '../model/board-model.ts';
import { NEVER } from '../model/claim-table.ts';
import { placesFor } from './impossible.ts';
import { intentOf } from '../model/owner-table.ts';
import { type Collision, Ownership } from '../model/ownership.ts';
import type { OutrankedBy } from './reasons.ts';
import { startsBefore, type TaskEntry } from '../model/run-model.ts';
import { amountOf, PARALLEL, poolOf, type Usage, type Use } from './usage.ts';
import { LOCAL, type Place, runnerAt } from '../model/workers.ts';

/** What reservations need to know of the turn they belong to. */
interface TurnSoFar {
  readonly board: BoardModel;
  readonly now: Instant;
  readonly usage: Usage;
  collisions(entry: TaskEntry): readonly Collision[];
}

/** A start that is kept for a task which waits for others to end. */
interface Reservation {
  readonly entry: TaskEntry;
  /** When those it waits for have ended, as far as anybody knows. */
  readonly startsAt: Instant;
  /** It has waited so long that even higher classes must not delay it. */
  readonly isOverdue: boolean;
  /** What is left of each pool then, once it has started. */
  readonly spare: Map<string, number>;
  readonly files: Ownership | undefined;
  /** Somebody is at its files now. */
  readonly isBlockedByFiles: boolean;
}

/** A task that has been ready for this long is not overtaken by anybody who would delay it. */
const OVERDUE_MS = 120_000;
/** Those behind would start so late that nothing is known of it. */
const RESERVATION_LIMIT = 16;

export function isOverdue({ readySince }: TaskEntry, now: Instant): boolean {
  return now - readySince >= OVERDUE_MS;
}

/**
 * Starts kept free for tasks that need much: a smaller one may go first only while that does not
 * delay them. Nothing here is remembered from turn to turn; it follows from who holds what.
 */
export class Reservations {
  readonly #turn: TurnSoFar;
  readonly #reservations: Reservation[] = [];

  constructor(turn: TurnSoFar) {
    this.#turn = turn;
  }

  get isFull(): boolean {
    return this.#reservations.length === RESERVATION_LIMIT;
  }

  /**
   * For a task that only waits for what others hold. Where nobody knows when those end, no start is
   * kept, until it is overdue.
   */
  add(entry: TaskEntry): void {
    if (this.isFull || this.#has(entry)) return;
    const { now } = this.#turn;
    const spare = new Map<string, number>();
    const filesAt = this.#whenFilesAreFree(entry);
    const startsAt = Math.max(this.#whenThereIsEnough(entry, spare), filesAt ?? now);
    if (startsAt >= NEVER) return;
    this.#reservations.push({
      entry,
      startsAt: instant(startsAt),
      isOverdue: isOverdue(entry, now),
      spare,
      files: this.#filesOf(entry),
      isBlockedByFiles: filesAt !== undefined,
    });
  }

  /** Whose start `entry` would delay by starting now. */
  outranks(entry: TaskEntry, place = LOCAL): OutrankedBy | undefined {
    const use = { entry, place, isLeftover: false };
    for (const reservation of this.#reservations) {
      if (reservation.entry === entry || this.#endsBefore(reservation, entry)) continue;
      const isAhead = precedes(reservation.entry, entry);
      if (!isAhead && !reservation.isOverdue) continue;
      // Of those that have waited too long, the one that has waited longest comes first.
      if (isOverdue(entry, this.#turn.now) && waitsLonger(entry, reservation.entry)) continue;
      const slipsIn = takesTooMuch(reservation, use, isAhead);
      if (!slipsIn && !this.#meets(reservation, entry, isAhead)) continue;
      const { startsAt } = reservation;
      return { kind: 'task', task: reservation.entry.definition.id, startsAt };
    }
    return undefined;
  }

  /** What a claim of this turn takes is not to spare any more. */
  use(use: Use): void {
    const own = this.#reservations.findIndex(({ entry }) => entry === use.entry);
    if (own >= 0) this.#reservations.splice(own, 1);
    for (const reservation of this.#reservations)
      if (!this.#endsBefore(reservation, use.entry))
        for (const [key, left] of reservation.spare)
          reservation.spare.set(key, left - amountOf(use, key));
  }

  #has(entry: TaskEntry): boolean {
    return this.#reservations.some((reservation) => reservation.entry === entry);
  }

  #endsBefore({ startsAt }: Reservation, { asks }: TaskEntry): boolean {
    return this.#turn.now + (asks.expectedMs ?? UNMEASURED_MS) <= startsAt;
  }

  /** Lets those who hold something end one after the other, until there is enough of everything. */
  #whenThereIsEnough(entry: TaskEntry, spare: Map<string, number>): number {
    const { run, asks } = entry;
    const { usage, now } = this.#turn;
    const place = this.#placeFor(entry);
    if (place === undefined) return NEVER;
    for (const name in asks.resources) {
      const pool = poolOf(name, { run, place });
      if (pool === undefined) return NEVER;
      spare.set(pool.key, pool.limit - usage.of(pool.key) - (asks.resources[name] ?? 0));
    }
    // Places are given back all the time: only who has waited too long has one kept.
    if (isOverdue(entry, now))
      spare.set(PARALLEL, run.manifest.policy.parallel - usage.of(PARALLEL) - 1);
    const isEnough = (): boolean => [...spare.values()].every((left) => left >= 0);
    if (isEnough()) return now;
    const ends = usage.all.map((use) => ({ use, at: this.#endOf(use, entry) }));
    for (const { use, at } of ends.toSorted((a, b) => a.at - b.at)) {
      for (const [key, left] of spare) spare.set(key, left + amountOf(use, key));
      if (isEnough()) return at;
    }
    return NEVER;
  }

  /** The first place that could take it once others have ended. */
  #placeFor({ asks }: TaskEntry): Place | undefined {
    const places = placesFor(this.#turn.board, asks.hosts);
    return places.find(({ isReachable }) => isReachable) ?? places[0];
  }

  /** `undefined` where nobody is at them. */
  #whenFilesAreFree(entry: TaskEntry): number | undefined {
    // Nobody knows when it is proved that nothing is left of its lost attempt.
    if (entry.leftover !== undefined) return NEVER;
    if (!entry.touchesFiles) return undefined;
    let at: number | undefined;
    for (const { owner, rule } of this.#turn.collisions(entry)) {
      if (rule !== 'wait' && rule !== 'ask') continue;
      const { who } = owner;
      const holder = who.kind === 'task' ? this.#turn.board.find(who.run, who.task) : undefined;
      if (holder === undefined) return NEVER;
      const use = { entry: holder, place: LOCAL, isLeftover: false };
      at = Math.max(at ?? 0, this.#endOf(use, entry));
    }
    return at;
  }

  /**
   * When a holder ends, for whoever waits for it. Nobody knows of people and of what was lost, nor of
   * what was never measured or takes longer than it did. Who is overdue takes the latter to end any
   * moment, so that nobody overtakes it.
   */
  #endOf({ entry, isLeftover }: Use, waiting: TaskEntry): number {
    const { claim, asks } = entry;
    const { now } = this.#turn;
    if (isLeftover || isForPerson(asks.doer)) return NEVER;
    const anyMoment = isOverdue(waiting, now) ? now : NEVER;
    if (asks.expectedMs === undefined) return anyMoment;
    if (claim === undefined) return now + asks.expectedMs;
    const { holder } = claim;
    const since = holder.kind === 'running' ? holder.startedAt : holder.claimedAt;
    const at = since + asks.expectedMs;
    return at < now ? anyMoment : at;
  }

  #filesOf(entry: TaskEntry): Ownership | undefined {
    if (!entry.touchesFiles) return undefined;
    const files = new Ownership(this.#turn.board.owners.rules);
    const { run, definition } = entry;
    const who = { kind: 'task', run: run.manifest.id, task: definition.id } as const;
    files.add({ ...intentOf(entry), worker: runnerAt(LOCAL), who, isLive: true });
    return files;
  }

  #meets({ files, isBlockedByFiles }: Reservation, entry: TaskEntry, isAhead: boolean): boolean {
    if (files === undefined || !entry.touchesFiles) return false;
    // Where both could start, the order between them decides.
    if (!isAhead && !isBlockedByFiles) return false;
    return files.anyBlocking(intentOf(entry), this.#turn.now) !== undefined;
  }
}

function waitsLonger(a: TaskEntry, b: TaskEntry): boolean {
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
        ? limitOf(use.entry) > limitOf(entry)
        : amountOf(use, key) < amountOf({ ...use, entry }, key);
    if (needsLess || (isAhead && key !== PARALLEL)) return true;
  }
  return false;
}

function limitOf({ run }: TaskEntry): number {
  return run.manifest.policy.parallel;
}
