import type { RunnerNews } from './ports.ts';

/** A runner is made before the engine that hears its news. */
export function lateNews(engine: () => RunnerNews | undefined): RunnerNews {
  return {
    started: (term, result) => engine()?.started(term, result),
    ended: (term, end) => engine()?.ended(term, end),
    outOfSight: (term) => engine()?.outOfSight(term),
    placeSeen: (place) => engine()?.placeSeen(place),
    placeGone: (name) => engine()?.placeGone(name),
  };
}
