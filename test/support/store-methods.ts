import type { Store } from '../../server/engine/store-port.ts';

/** The methods of a store, to put something in the place of one of them. */
export function methodsOf(store: Store): Store {
  return {
    snapshot: () => store.snapshot(),
    beginTenure: () => store.beginTenure(),
    together: (write) => store.together(write),
    commit: (turn, decisions) => store.commit(turn, decisions),
    claim: (write) => store.claim(write),
    renew: (write) => store.renew(write),
    settle: (write) => store.settle(write),
    record: (events, operation, grant) => store.record(events, operation, grant),
    isLatest: () => store.isLatest(),
    resolve: (operation) => store.resolve(operation),
    rebase: (facts) => store.rebase(facts),
    events: (after, limit, length) => store.events(after, limit, length),
    eventsOfRun: (run, after, limit) => store.eventsOfRun(run, after, limit),
    observationsOf: (run) => store.observationsOf(run),
    lastSequence: () => store.lastSequence(),
    runs: (limit) => store.runs(limit),
    statesOf: (run) => store.statesOf(run),
    latestStates: (root) => store.latestStates(root),
    watch: (onHint) => store.watch(onHint),
    close: () => store.close(),
  };
}
