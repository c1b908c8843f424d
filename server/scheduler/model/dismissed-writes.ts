import type { RunId, TaskId } from '../../domain/ids.ts';

/** A file that changed while a task ran, and that a person has said nothing more need be said of. */
export interface DismissedWrite {
  readonly tree: string;
  /** From the top of the working tree. */
  readonly path: string;
  /** The person wrote it while this task ran; absent: the path is ignored, whichever task runs. */
  readonly of?: { readonly run: RunId; readonly task: TaskId };
}

/** The newest dismissals are kept. A task has at most 1000 findings that could be dismissed. */
export const DISMISSED_LIMIT = 2000;

/** What people have dismissed on a board. It outlives runs, windows and processes. */
export class DismissedWrites {
  /** In the order in which they were dismissed. */
  readonly #writes = new Map<string, DismissedWrite>();

  get all(): readonly DismissedWrite[] {
    return [...this.#writes.values()];
  }

  /** Answers whether that is news. */
  add(write: DismissedWrite): boolean {
    const key = keyOf(write);
    if (this.#writes.has(key)) return false;
    this.#writes.set(key, write);
    const [oldest] = this.#writes.keys();
    if (this.#writes.size > DISMISSED_LIMIT && oldest !== undefined) this.#writes.delete(oldest);
    return true;
  }

  /** Whether nothing is to be said of the task for this path. */
  covers(write: DismissedWrite): boolean {
    if (this.#writes.size === 0) return false;
    const { tree, path } = write;
    return this.#writes.has(keyOf({ tree, path })) || this.#writes.has(keyOf(write));
  }
}

function keyOf({ tree, path, of }: DismissedWrite): string {
  return JSON.stringify([tree, path, ...(of === undefined ? [] : [of.run, of.task])]);
}
