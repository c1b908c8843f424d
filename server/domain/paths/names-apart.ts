import { hasLetter, type Letters, representatives } from './letters.ts';
import { lettersIn, type Name, namesMeet, sharedName } from './name.ts';
import {
  type Budget,
  isEnd,
  type Move,
  movesFrom,
  placesAfter,
  shortestFirst,
  type Station,
} from './row-walk.ts';
import { GAP, type Row, rowOf } from './sequence.ts';

/** A name, and which of some others it is too. */
export interface NameKind {
  readonly name: string;
  readonly isToo: readonly boolean[];
}

/**
 * Of the names that are both `a` and `b`, the shortest of each kind that `others` tell apart; none
 * of a kind that is more of the others than a shorter name. Stops where the budget ends.
 */
export function namesApart(
  { a, b, others }: { a: Name; b: Name; others: readonly Name[] },
  budget: Budget,
): readonly NameKind[] {
  const shortest = sharedName(a, b);
  if (shortest === undefined) return [];
  const isShortestToo = others.map((other) => namesMeet(shortest, other));
  if (typeof a === 'string' || typeof b === 'string' || !isShortestToo.includes(true))
    return [{ name: shortest, isToo: isShortestToo }];
  const rows = { a: rowFor(a), b: rowFor(b), others: others.map(rowFor) };
  const alphabet = representatives(
    [rows.a, rows.b, ...rows.others].flat().filter((letters) => letters !== GAP),
  );
  const kinds: NameKind[] = [];
  const start = stationAt('', { inA: 0, inB: 0, inOthers: others.map(() => [0]) });
  for (const station of shortestFirst(start, (from) => stationsAfter(from, rows, alphabet))) {
    budget.stepsLeft -= alphabet.length * weightOf(station);
    if (budget.stepsLeft < 0) return kinds;
    const { text, inA, inB, inOthers } = station;
    if (text === '' || !isEnd(rows.a, inA) || !isEnd(rows.b, inB)) continue;
    const isToo = inOthers.map((places, at) =>
      places.some((place) => isEnd(rows.others[at]!, place)),
    );
    if (kinds.some((known) => known.isToo.every((is, at) => !is || isToo[at]!))) continue;
    kinds.push({ name: text, isToo });
    if (!isToo.includes(true)) return kinds;
  }
  return kinds;
}

interface Rows {
  readonly a: Row<Letters>;
  readonly b: Row<Letters>;
  readonly others: readonly Row<Letters>[];
}

interface Places {
  readonly inA: number;
  readonly inB: number;
  readonly inOthers: readonly (readonly number[])[];
}

interface NameStation extends Station, Places {}

function rowFor(name: Name): Row<Letters> {
  return rowOf(lettersIn(name));
}

function stationAt(text: string, { inA, inB, inOthers }: Places): NameStation {
  const key = `${text === '' ? 'start' : inA} ${inB} ${inOthers.join(';')}`;
  return { text, inA, inB, inOthers, key, slot: -1 };
}

function weightOf({ inOthers }: Places): number {
  let weight = 1;
  for (const places of inOthers) weight += places.length;
  return weight;
}

function* stationsAfter(
  { text, inA, inB, inOthers }: NameStation,
  rows: Rows,
  alphabet: readonly number[],
): Iterable<NameStation> {
  const [movesA, movesB] = [movesFrom(rows.a, inA), movesFrom(rows.b, inB)];
  for (const code of alphabet) {
    const fits = ({ thing }: Move<Letters>): boolean => thing === GAP || hasLetter(thing, code);
    const [fitA, fitB] = [movesA.filter(fits), movesB.filter(fits)];
    if (fitA.length === 0 || fitB.length === 0) continue;
    const longer = text + String.fromCodePoint(code);
    const after = inOthers.map((places, at) =>
      placesAfter(rows.others[at]!, places, (letters) => hasLetter(letters, code)),
    );
    for (const { to: nextA } of fitA)
      for (const { to: nextB } of fitB)
        yield stationAt(longer, { inA: nextA, inB: nextB, inOthers: after });
  }
}
