import type { RunId } from '../domain/ids.ts';
import type { LedgerEntry, Store } from '../engine/store-port.ts';

const PAGE = 1000;

/** All that is known of one run, the oldest first. */
export function* ledgerOfRun(store: Store, run: RunId): Generator<LedgerEntry, void> {
  for (let after = 0; ;) {
    const entries = store.eventsOfRun(run, after, PAGE);
    yield* entries;
    const last = entries.at(-1);
    if (last === undefined) return;
    after = last.sequence;
  }
}
