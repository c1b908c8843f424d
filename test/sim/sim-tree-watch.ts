import type { Instant } from '../../server/domain/time.ts';
import type { TreeListener, TreeWatch, WatchedTree } from '../../server/engine/tree-watch.ts';

/** What one process hears of its working trees. */
export class SimTreeWatch implements TreeWatch {
  readonly #listeners = new Set<TreeListener>();

  watch(_tree: string, _since: Instant, listener: TreeListener): WatchedTree {
    this.#listeners.add(listener);
    return {
      settle: async () => {},
      remember: () => {},
      [Symbol.dispose]: () => void this.#listeners.delete(listener),
    };
  }

  /** Somebody wrote a file, and nobody says who. */
  wrote(path: string, at: Instant): void {
    for (const { touched, wants, changed } of this.#listeners) {
      touched?.(path);
      if (wants(path)) changed([{ path, from: at, until: at, isSame: false }]);
    }
  }
}
