import type { HostSight } from '../board/session-ports.ts';
import type { HostSight as Sight } from './routing-runner.ts';

/** How the runners of this process see the user's hosts, for whoever shows it. */
export class HostSights {
  /** By the name that machines have for a board. */
  readonly #sights = new Map<string, readonly HostSight[]>();
  readonly #listeners = new Set<() => void>();

  /** What the runner of a board says of all of its hosts. */
  see(board: string, sights: readonly Sight[]): void {
    this.#sights.set(board, sights.map(sightOf));
    for (const listener of this.#listeners) listener();
  }

  of(board: string): readonly HostSight[] {
    return this.#sights.get(board) ?? [];
  }

  onChanged(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }
}

function sightOf({ host, state, system, hasTmux }: Sight): HostSight {
  return {
    name: host.name,
    state: state.kind,
    why: 'why' in state ? state.why : '',
    ...(system !== undefined && { system }),
    ...(hasTmux !== undefined && { hasTmux }),
  };
}
