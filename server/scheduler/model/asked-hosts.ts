import type { BoardModel } from './board-model.ts';
import { LOCAL, placeOf } from './workers.ts';

/** The hosts where something may start, and those where something is or may be at work. */
export function askedHosts({ runs, claims, owners, permission }: BoardModel): readonly string[] {
  const asked = new Set<string>();
  for (const run of permission === 'granted' ? runs.values() : [])
    if (!run.isInterrupted) for (const host of run.hosts) asked.add(host);
  for (const { holder } of claims.pushed) asked.add(placeOf(holder.worker));
  for (const { owner } of owners.leftovers.values()) asked.add(placeOf(owner.worker));
  asked.delete(LOCAL);
  return [...asked].toSorted();
}
