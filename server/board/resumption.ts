import type { BoardModel } from '../scheduler/model/board-model.ts';
import type { LedgerEntry } from '../engine/store-port.ts';

/** What became of tasks that runners had when a process came to a board. */
export interface Resumed {
  readonly runningCount: number;
  readonly finishedCount: number;
  readonly lostCount: number;
}

export const NOTHING_RESUMED: Resumed = { runningCount: 0, finishedCount: 0, lostCount: 0 };

/** Follows them by their terms: the same task may be tried again under another one. */
export class Resumption {
  readonly #running: Set<number>;
  #finishedCount = 0;
  #lostCount = 0;

  constructor(board: BoardModel, root: string) {
    const own = [...board.claims.pushed].filter(({ entry }) => entry.run.manifest.root === root);
    this.#running = new Set(own.map(({ holder }) => holder.term));
  }

  heed(entries: readonly LedgerEntry[]): void {
    for (const { event } of entries) {
      if (event.kind !== 'taskMoved' || !('term' in event.event)) continue;
      const { kind, term } = event.event;
      if (kind === 'taskCompleted' || kind === 'taskFailed')
        this.#finishedCount += Number(this.#running.delete(term));
      else if (kind === 'taskLost' || kind === 'taskReleased')
        this.#lostCount += Number(this.#running.delete(term));
    }
  }

  get found(): Resumed {
    return {
      runningCount: this.#running.size,
      finishedCount: this.#finishedCount,
      lostCount: this.#lostCount,
    };
  }
}

export function sumOf(parts: readonly Resumed[]): Resumed {
  return parts.reduce(
    (sum, part) => ({
      runningCount: sum.runningCount + part.runningCount,
      finishedCount: sum.finishedCount + part.finishedCount,
      lostCount: sum.lostCount + part.lostCount,
    }),
    NOTHING_RESUMED,
  );
}
