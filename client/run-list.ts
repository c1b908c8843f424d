import type { RunKey, RunsChanged, RunView } from '../protocol/runs.ts';

/** What the server last said of all runs. */
export class RunList {
  readonly #views = new Map<string, RunView>();
  readonly #listeners: ((changed: readonly string[]) => void)[] = [];

  get all(): readonly RunView[] {
    return [...this.#views.values()];
  }

  /** Those that somebody carries on. */
  get live(): readonly RunView[] {
    return this.all.filter(({ status }) => status !== 'finished' && status !== 'interrupted');
  }

  get(key: string): RunView | undefined {
    return this.#views.get(key);
  }

  apply({ changed, removed }: RunsChanged): void {
    for (const key of removed) this.#views.delete(runKeyOf(key));
    for (const view of changed) this.#views.set(runKeyOf(view), view);
    this.#tell([...removed, ...changed].map(runKeyOf));
  }

  /** The server that said all this is gone. */
  clear(): void {
    const keys = [...this.#views.keys()];
    this.#views.clear();
    this.#tell(keys);
  }

  onChange(listener: (changed: readonly string[]) => void): void {
    this.#listeners.push(listener);
  }

  #tell(changed: readonly string[]): void {
    for (const listener of this.#listeners) listener(changed);
  }
}

export function runKeyOf({ folderUri, run }: RunKey): string {
  return `${folderUri}\n${run}`;
}
