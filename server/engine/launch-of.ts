import type { Claim } from '../scheduler/model/run-model.ts';
import { placeOf } from '../scheduler/model/workers.ts';
import type { Launch } from './ports.ts';

/** How the command of a claim is started, or was. */
export function launchOf({ holder, entry }: Claim): Launch {
  const { manifest } = entry.run;
  const { revision, attempts: attempt } = entry.state.tries;
  return {
    place: placeOf(holder.worker),
    root: manifest.root,
    definition: entry.definition,
    run: manifest.id,
    revision,
    attempt,
    term: holder.term,
  };
}
