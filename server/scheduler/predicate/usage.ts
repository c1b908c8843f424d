import { isPushed } from '../../domain/asks.ts';
import type { TaskId } from '../../domain/ids.ts';
import type { BoardModel } from '../model/board-model.ts';
import type { Claim, RunModel, TaskEntry } from '../model/run-model.ts';
import { LOCAL, type Place, placeOf } from '../model/workers.ts';

/** An amount that tasks share: of the board by its name, of a host by the host's and its own. */
export interface Pool {
  readonly key: string;
  readonly limit: number;
}

/** Whatever takes part of the pools: a live claim, one decided in this turn, a lost attempt. */
export interface Use {
  readonly entry: TaskEntry;
  readonly place: string;
  readonly isLeftover: boolean;
}

/** The pool of the places in which runners of ours work at once. */
export const PARALLEL = 'in parallel';

/**
 * What is taken of each pool, worked out from those who take it. There is no counter that could be
 * wrong.
 */
export class Usage {
  readonly #taken = new Map<string, number>();
  readonly #uses: Use[] = [];

  constructor(board: BoardModel) {
    for (const claim of board.claims.pushed) this.add(useOf(claim));
    for (const claim of board.claims.pulled) this.add(useOf(claim));
    // Until it is proved dead it may still use what it was given.
    for (const { entry, owner } of board.owners.leftovers.values())
      this.add({ entry, place: placeOf(owner.worker), isLeftover: true });
  }

  add(use: Use): void {
    const { entry, place, isLeftover } = use;
    const { resources, doer } = entry.asks;
    if (!isLeftover && isPushed(doer)) this.#take(PARALLEL, 1);
    for (const name in resources) this.#take(poolKey(name, place), resources[name] ?? 0);
    this.#take(atPlace(place), 1);
    this.#uses.push(use);
  }

  /** How many tasks are at a place. */
  countAt(place: string): number {
    return this.#taken.get(atPlace(place)) ?? 0;
  }

  of(key: string): number {
    return this.#taken.get(key) ?? 0;
  }

  takersOf(key: string): readonly Use[] {
    return this.#uses.filter((use) => amountOf(use, key) > 0);
  }

  get all(): readonly Use[] {
    return this.#uses;
  }

  #take(key: string, amount: number): void {
    this.#taken.set(key, (this.#taken.get(key) ?? 0) + amount);
  }
}

function atPlace(place: string): string {
  return `at ${place}`;
}

export function amountOf({ entry, place, isLeftover }: Use, key: string): number {
  const { resources, doer } = entry.asks;
  if (key === PARALLEL) return !isLeftover && isPushed(doer) ? 1 : 0;
  for (const name in resources) if (poolKey(name, place) === key) return resources[name] ?? 0;
  return 0;
}

/** The machine's own amounts are each host's for itself; all others belong to the board. */
const OF_MACHINE: ReadonlySet<string> = new Set(['cpu', 'memory', 'parallel']);

function poolKey(name: string, place: string): string {
  return OF_MACHINE.has(name) ? `${place}/${name}` : name;
}

/** `undefined` where nobody says how much there is. A plan may say it for this machine. */
export function poolOf(
  name: string,
  { run, place }: { readonly run: RunModel; readonly place: Place },
): Pool | undefined {
  const key = poolKey(name, place.name);
  const planned = run.manifest.policy.limits?.[name];
  if (!OF_MACHINE.has(name)) return planned === undefined ? undefined : { key, limit: planned };
  const own = place.limits[name];
  const limit = place.name === LOCAL ? (planned ?? own) : own;
  return { key, limit: limit ?? Number.POSITIVE_INFINITY };
}

function useOf({ entry, holder }: Claim): Use {
  return { entry, place: placeOf(holder.worker), isLeftover: false };
}

export function namesOf(uses: readonly Use[]): readonly TaskId[] {
  return uses.map(({ entry }) => entry.definition.id);
}
