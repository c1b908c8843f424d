import { ANY_NAME, type Name } from './name.ts';
import { type NameKind, namesApart } from './names-apart.ts';
import type { Pattern } from './pattern.ts';
import {
  type Budget,
  isEnd,
  isLastGap,
  movesFrom,
  placesAfter,
  shortestFirst,
  type Station,
} from './row-walk.ts';
import { GAP, type Row, rowOf } from './sequence.ts';

export interface Question {
  readonly a: Pattern;
  readonly b: Pattern;
  readonly takenAway: readonly Pattern[];
}

/** `too-hard`: the budget ended first. */
export type LeftPath =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'none' | 'too-hard' };

/**
 * The shortest path that is of both patterns and of none that take away.
 *
 * All patterns read one path in step, name by name. Of the names that could come next only the
 * shortest of each kind is tried, of the kinds that some pattern tells apart.
 */
export function pathLeft(question: Question, budget: Budget): LeftPath {
  const search = new Search(question, budget);
  for (const station of shortestFirst(search.start, (from) =>
    search.isDead(from) ? [] : search.stationsAfter(from),
  )) {
    if (budget.stepsLeft < 0) return { kind: 'too-hard' };
    if (search.isLeft(station)) return { kind: 'path', path: station.text };
  }
  return { kind: budget.stepsLeft < 0 ? 'too-hard' : 'none' };
}

interface PathStation extends Station {
  readonly inA: number;
  readonly inB: number;
  /** For each pattern that takes away. */
  readonly inOthers: readonly (readonly number[])[];
}

class Search {
  readonly #a: Row<Name>;
  readonly #b: Row<Name>;
  readonly #others: readonly Row<Name>[];
  readonly #budget: Budget;
  readonly #numbers = new Map<Name, number>();
  readonly #known = new Map<string, readonly NameKind[]>();

  constructor({ a, b, takenAway }: Question, budget: Budget) {
    [this.#a, this.#b, this.#others] = [rowOf(a), rowOf(b), takenAway.map(rowOf)];
    this.#budget = budget;
  }

  get start(): PathStation {
    return stationAt({ text: '', inA: 0, inB: 0, inOthers: this.#others.map(() => [0]) });
  }

  isLeft({ text, inA, inB, inOthers }: PathStation): boolean {
    if (text === '' || !isEnd(this.#a, inA) || !isEnd(this.#b, inB)) return false;
    return !inOthers.some((places, at) => places.some((place) => isEnd(this.#others[at]!, place)));
  }

  *stationsAfter({ text, inA, inB, inOthers }: PathStation): Iterable<PathStation> {
    const others = this.#namesAt(inOthers);
    for (const { thing: x, to: nextA } of movesFrom(this.#a, inA))
      for (const { thing: y, to: nextB } of movesFrom(this.#b, inB))
        for (const { name, isToo } of this.#kinds(x ?? ANY_NAME, y ?? ANY_NAME, others)) {
          const fits = (other: Name): boolean => isToo[others.indexOf(other)]!;
          const next = inOthers.map((places, at) => placesAfter(this.#others[at]!, places, fits));
          const longer = text === '' ? name : `${text}/${name}`;
          yield stationAt({ text: longer, inA: nextA, inB: nextB, inOthers: next });
        }
  }

  /** Whether nothing that follows could be left. */
  isDead({ inOthers }: PathStation): boolean {
    return inOthers.some((places, at) =>
      places.some((place) => isLastGap(this.#others[at]!, place)),
    );
  }

  /** What could come next in what takes away. */
  #namesAt(inOthers: PathStation['inOthers']): readonly Name[] {
    const moves = inOthers.flatMap((places, at) =>
      places.flatMap((place) => movesFrom(this.#others[at]!, place)),
    );
    return [...new Set(moves.map(({ thing }) => thing).filter((thing) => thing !== GAP))];
  }

  #kinds(a: Name, b: Name, others: readonly Name[]): readonly NameKind[] {
    const key = [a, b, ...others].map((name) => this.#numberOf(name)).join(' ');
    let kinds = this.#known.get(key);
    if (kinds === undefined) {
      kinds = namesApart({ a, b, others }, this.#budget);
      this.#known.set(key, kinds);
    }
    this.#budget.stepsLeft -= 1 + kinds.length * others.length;
    return kinds;
  }

  #numberOf(name: Name): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.#numbers.size);
    return this.#numbers.size - 1;
  }
}

function stationAt({ text, inA, inB, inOthers }: Omit<PathStation, 'key' | 'slot'>): PathStation {
  const key = `${text === '' ? 'start' : inA} ${inB} ${inOthers.join(';')}`;
  return { text, inA, inB, inOthers, key, slot: -1 };
}
