import type { TaskEntry } from '../model/run-model.ts';
import { LOCAL, type Place } from '../model/workers.ts';
import type { Turn } from './turn.ts';
import { poolOf } from './usage.ts';

/** Of places that would all take a task the one that suits it best, else the first in the plan. */
export function bestPlace(
  turn: Turn,
  entry: TaskEntry,
  places: readonly Place[],
): Place | undefined {
  let [best] = places;
  if (best === undefined || places.length === 1) return best;
  let bestMarks = marksOf(turn, entry, best);
  for (const place of places.slice(1)) {
    const marks = marksOf(turn, entry, place);
    if (isLess(marks, bestMarks)) [best, bestMarks] = [place, marks];
  }
  return best;
}

/**
 * What speaks against a place, the weightiest first: the task was lost there, it is on trial after it
 * has failed, it has enough to do, the data is elsewhere, and how busy it is.
 */
function marksOf(turn: Turn, entry: TaskEntry, place: Place): readonly number[] {
  const isOnTrial = place.name !== LOCAL && turn.breakerOf(place).kind !== 'closed';
  const busy = busyOf(turn, entry, place);
  const data = dataAt(entry, place.name);
  const count = turn.usage.countAt(place.name);
  const wasLost = entry.state.tries.losses > 0 && (entry.ranAt ?? LOCAL) === place.name;
  return [Number(wasLost), Number(isOnTrial), Number(busy >= 1), -data, busy, count];
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  for (const [at, mark] of a.entries()) if (mark !== b[at]) return mark < b[at]!;
  return false;
}

/** How much of what it has most of in use is in use; one is all of it. */
function busyOf({ usage }: Turn, { run }: TaskEntry, place: Place): number {
  const { limits, name, load = 0 } = place;
  const slots = limits['parallel'] ?? limits['cpu'];
  const shares = [load, shareOf(usage.countAt(name), slots)];
  for (const resource of ['cpu', 'memory']) {
    const pool = poolOf(resource, { run, place });
    if (pool !== undefined) shares.push(shareOf(usage.of(pool.key), pool.limit));
  }
  return Math.max(...shares);
}

/** Of what is not limited nothing is in use. */
function shareOf(used: number, limit = Number.POSITIVE_INFINITY): number {
  return used === 0 ? 0 : used / limit;
}

/** How much of what it works with is there: what it needs was made there, or it was tried there before. */
function dataAt(entry: TaskEntry, place: string): number {
  const isThere = ({ ranAt = LOCAL, state }: TaskEntry): boolean =>
    ranAt === place && state.tries.attempts > 0;
  let there = Number(isThere(entry));
  entry.run.forEachPredecessor(entry, (predecessor) => {
    there += Number(isThere(predecessor));
  });
  return there;
}
