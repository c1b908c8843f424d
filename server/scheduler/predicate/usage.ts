import { isPushed, type TaskAsks } from '../../domain/asks.ts';
import type { BoardModel } from '../model/board-model.ts';
import type { Leftover } from '../model/owner-table.ts';
import type { Claim, RunModel, TaskEntry } from '../model/run-model.ts';
import { LOCAL, type Place, placeOf } from '../model/workers.ts';

/** An amount that tasks share: of the board by its name, of a host by the host's and its own. */
export interface Pool {
  readonly key: string;
  readonly limit: number;
}

/** Whatever takes part of the pools: a live claim, one decided in this turn, a lost attempt. */
export interface Use {
  readonly asks: TaskAsks;
  readonly place: string;
  /** Absent of a lost attempt, whose task may ask for something else by now. */
  readonly entry?: TaskEntry;
}

/** The pool of the places in which runners of ours work on this machine at once. */
export const PARALLEL = 'parallel';

/**
 * What is taken of each pool, worked out from those who take it. There is no counter that could be
 * wrong.
 */
export class Usage {
  readonly #taken = new Map<string, number>();
  readonly #counts = new Map<string, number>();
  readonly #uses: Use[] = [];

  constructor(board: BoardModel) {
    for (const claim of board.claims.pushed) this.add(useOf(claim));
    for (const claim of board.claims.pulled) this.add(useOf(claim));
    // Until it is proved dead it may still use what it was given.
    for (const leftover of board.owners.leftovers.values()) this.add(useOfLeftover(leftover));
  }

  add(use: Use): void {
    const { asks, place } = use;
    for (const name in asks.resources) this.#take(poolKey(name, place), asks.resources[name] ?? 0);
    this.#take(PARALLEL, amountOf(use, PARALLEL));
    if (use.entry !== undefined) this.#counts.set(place, this.countAt(place) + 1);
    this.#uses.push(use);
  }

  /** How many tasks are at a place. */
  countAt(place: string): number {
    return this.#counts.get(place) ?? 0;
  }

  of(pool: string): number {
    return this.#taken.get(pool) ?? 0;
  }

  takersOf(pool: string): readonly TaskEntry[] {
    return this.#uses.flatMap((use) => (amountOf(use, pool) > 0 ? (use.entry ?? []) : []));
  }

  /** Where lost attempts are that may take it still. */
  lostTakersOf(pool: string): readonly string[] {
    const lost = this.#uses.filter((use) => use.entry === undefined && amountOf(use, pool) > 0);
    return [...new Set(lost.map(({ place }) => place))];
  }

  get all(): readonly Use[] {
    return this.#uses;
  }

  #take(key: string, amount: number): void {
    this.#taken.set(key, (this.#taken.get(key) ?? 0) + amount);
  }
}

export function amountOf({ asks, place, entry }: Use, key: string): number {
  // A lost attempt takes no place: what is left of it may be there for days.
  if (key === PARALLEL)
    return place === LOCAL && entry !== undefined && isPushed(asks.doer) ? 1 : 0;
  for (const name in asks.resources)
    if (poolKey(name, place) === key) return asks.resources[name] ?? 0;
  return 0;
}

/** The machine's own amounts are each host's for itself; all others belong to the board. */
const OF_MACHINE: ReadonlySet<string> = new Set(['cpu', 'memory', 'parallel']);

function poolKey(name: string, place: string): string {
  return OF_MACHINE.has(name) ? `at ${place}: ${name}` : `of all: ${name}`;
}

/** `undefined` where nobody says how much there is. A plan may say it for this machine. */
export function poolOf(
  name: string,
  { run, place }: { readonly run: RunModel; readonly place: Place },
): Pool | undefined {
  const key = poolKey(name, place.name);
  const planned = amountIn(run.manifest.policy.limits, name);
  if (!OF_MACHINE.has(name)) return planned === undefined ? undefined : { key, limit: planned };
  const own = amountIn(place.limits, name);
  const limit = place.name === LOCAL ? (planned ?? own) : own;
  return { key, limit: limit ?? Number.POSITIVE_INFINITY };
}

/** Names are the user's: every object has a `constructor`. */
function amountIn(
  limits: Readonly<Record<string, number>> | undefined,
  name: string,
): number | undefined {
  return limits !== undefined && Object.hasOwn(limits, name) ? limits[name] : undefined;
}

function useOf({ entry, holder }: Claim): Use {
  const { asks } = entry;
  // Whoever claims for itself works where it pleases, and is judged as if it were here.
  return { asks, entry, place: isPushed(asks.doer) ? placeOf(holder.worker) : LOCAL };
}

function useOfLeftover({ asks, owner }: Leftover): Use {
  return { asks, place: isPushed(asks.doer) ? placeOf(owner.worker) : LOCAL };
}
