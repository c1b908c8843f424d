import { holderOf } from '../domain/task.ts';
import type { Clock, Listener, Runner, Store } from './ports.ts';

/**
 * Gives back the claims of a process that died, and marks its runs as interrupted. What is left of
 * its commands is stopped first, so that no task ever runs twice at once. Only for whoever has the
 * board's lock and runs nothing yet.
 */
export async function takeBackClaims({ store, runner, clock, listener }: Ports): Promise<void> {
  const runs = store.unfinishedRuns();
  const claims = runs.flatMap(({ manifest: { id: run }, states }) =>
    [...states].flatMap(([task, state]) => {
      const holder = holderOf(state);
      return holder === undefined ? [] : [{ run, task, holder }];
    }),
  );
  await Promise.all(
    claims.map(async ({ run, task, holder }) => {
      const { term } = holder;
      const process = holder.kind === 'running' ? holder.process : undefined;
      await runner.stopLeftover({ run, term, process });
      store.record(run, task, { kind: 'taskReleased', term, at: clock.now(), reason: 'lost' });
    }),
  );
  for (const { manifest } of runs) store.interrupt(manifest.id, clock.now());
  listener.changed();
}

interface Ports {
  readonly store: Store;
  readonly runner: Runner;
  readonly clock: Clock;
  readonly listener: Listener;
}
