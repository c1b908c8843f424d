import { displayText } from '../domain/display-text.ts';
import type { HostDefinition } from '../domain/host.ts';
import type { Instant } from '../domain/time.ts';
import { runnerAt } from '../scheduler/model/workers.ts';
import type { HostSight, Machines } from './session-ports.ts';
import type { SeenWorker } from './workers-seen.ts';

/** A host as a view tells of it. */
export interface SeenHost extends SeenWorker {
  readonly host?: {
    readonly ssh: string;
    readonly state: HostSight['state'];
    readonly why: string;
    readonly since?: Instant;
    readonly system?: string;
    readonly hasTmux?: boolean;
  };
}

/**
 * Adds to what the board knows of hosts how this process sees them, and those hosts of the settings that
 * nobody has needed yet. Where another process decides, it alone is connected to them.
 */
export class HostsSeen {
  /** Since when each is as it is; how long it was so before it was first looked at nobody knows. */
  readonly #since = new Map<string, { readonly state: string; readonly at: Instant | undefined }>();

  of(
    seen: readonly SeenWorker[],
    { machines, now }: { readonly machines: Machines; readonly now: Instant },
  ): readonly SeenHost[] {
    const sights = new Map(machines.sights.map((sight) => [sight.name, sight]));
    const hosts = new Map(machines.hosts.map((host) => [runnerAt(host.name) as string, host]));
    const known = seen.map((worker) => {
      const host = hosts.get(worker.id);
      return host === undefined ? worker : this.#with(worker, { host, sights, now });
    });
    const ids = new Set(seen.map(({ id }) => id));
    const idle = [...hosts].flatMap(([id, host]) =>
      ids.has(id) ? [] : this.#with(unused(id, host), { host, sights, now }),
    );
    return [...known, ...idle];
  }

  #with(
    worker: SeenWorker,
    {
      host,
      sights,
      now,
    }: {
      readonly host: HostDefinition;
      readonly sights: ReadonlyMap<string, HostSight>;
      readonly now: Instant;
    },
  ): SeenHost {
    const sight = sights.get(host.name) ?? sightByBoard(worker, host);
    const { state, why, system, hasTmux } = sight;
    const before = this.#since.get(host.name);
    const since = before?.state === state ? before.at : before && now;
    this.#since.set(host.name, { state, at: since });
    return {
      ...worker,
      // That it cannot be reached its state says, and why.
      trouble: worker.state === 'away' ? '' : worker.trouble,
      host: {
        ssh: host.ssh,
        state,
        why: displayText(why),
        ...(since !== undefined && { since }),
        ...(system !== undefined && { system: displayText(system) }),
        ...(hasTmux !== undefined && { hasTmux }),
      },
    };
  }
}

/** What the ledger says, where nobody here is connected to it. */
function sightByBoard({ state, holds }: SeenWorker, { name }: HostDefinition): HostSight {
  if (state !== 'away') return { name, state: 'reachable', why: '' };
  return { name, state: holds.length > 0 ? 'unreachable' : 'idle', why: '' };
}

function unused(id: string, { name, capabilities, slots }: HostDefinition): SeenWorker {
  return {
    id,
    kind: 'host',
    name: displayText(name),
    isYou: false,
    state: 'away',
    isDrained: false,
    trouble: '',
    uses: slots === undefined ? [] : [{ what: 'places', used: 0, of: slots }],
    remarks: [],
    capabilities,
    heardAt: undefined,
    holds: [],
  };
}
