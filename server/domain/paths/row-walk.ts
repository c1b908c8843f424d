import { Heap, type Slotted, SLOTTED } from '../heap.ts';
import { comesBefore } from './letters.ts';
import { GAP, type Row } from './sequence.ts';

/** How many places searches may look at; it counts for as long as it is handed on. */
export interface Budget {
  stepsLeft: number;
}

/**
 * What one question may take of a budget that many share: work that is done in slices can pause only
 * between two questions.
 */
const QUESTION_STEPS = 250_000;

/** Asks one question, which takes no more than `QUESTION_STEPS` of a budget. */
export function askWithin<Answer>(budget: Budget, ask: (own: Budget) => Answer): Answer {
  const lent = Math.max(0, Math.min(budget.stepsLeft, QUESTION_STEPS));
  const own = { stepsLeft: lent };
  const answer = ask(own);
  budget.stepsLeft -= lent - own.stepsLeft;
  return answer;
}

/** One step in a row, from the place before a thing, or in a gap: what has to come, or anything where it stays in a gap, and where that leads. */
export interface Move<T> {
  readonly thing: T | undefined;
  readonly to: number;
}

export function movesFrom<T>(row: Row<T>, place: number): readonly Move<T>[] {
  if (place === row.length) return [];
  if (row[place] !== GAP) return [{ thing: row[place], to: place + 1 }];
  const stay = { thing: GAP, to: place };
  return place + 1 === row.length ? [stay] : [stay, { thing: row[place + 1], to: place + 2 }];
}

export function isEnd<T>(row: Row<T>, place: number): boolean {
  return place === row.length || isLastGap(row, place);
}

/** Whatever comes, it is at the end. */
export function isLastGap<T>(row: Row<T>, place: number): boolean {
  return place + 1 === row.length && row[place] === GAP;
}

/** Where a row may stand after one more thing, in order. */
export function placesAfter<T>(
  row: Row<T>,
  places: readonly number[],
  fits: (thing: T) => boolean,
): readonly number[] {
  const after = new Set<number>();
  for (const place of places)
    for (const { thing, to } of movesFrom(row, place))
      if (thing === GAP || fits(thing)) after.add(to);
  return after.size < 2 ? [...after] : [...after].toSorted((a, b) => a - b);
}

/** Somewhere on the way, with what was read until there. */
export interface Station extends Slotted {
  readonly text: string;
  /** The same for stations from which the same can follow. */
  readonly key: string;
}

/** All that is reached from `start`, each once, the shortest text first and then what reads best. */
export function* shortestFirst<S extends Station>(
  start: S,
  nextOf: (station: S) => Iterable<S>,
): Generator<S> {
  const known = new Set<string>();
  const open = new Heap<S>(
    { keyOf: ({ text }) => text.length, isBefore: (a, b) => comesBefore(a.text, b.text) },
    SLOTTED,
  );
  open.push(start);
  for (let station = open.pop(); station !== undefined; station = open.pop()) {
    if (known.has(station.key)) continue;
    known.add(station.key);
    yield station;
    for (const next of nextOf(station)) if (!known.has(next.key)) open.push(next);
  }
}
