import type { TaskKey, TasksChanged, TaskView } from '../protocol/tasks.ts';

/** What the server last said of all tasks, in the order of their plans. */
export class TaskList {
  readonly #views = new Map<string, TaskView>();
  readonly #listeners: ((changed: readonly string[]) => void)[] = [];

  get all(): readonly TaskView[] {
    return [...this.#views.values()].toSorted(
      (a, b) =>
        compare(a.folderUri, b.folderUri) ||
        Number(isOfEditor(a)) - Number(isOfEditor(b)) ||
        compare(a.plan, b.plan) ||
        compare(a.planUri, b.planUri) ||
        a.line - b.line ||
        a.character - b.character ||
        compare(a.id, b.id),
    );
  }

  get(key: string): TaskView | undefined {
    return this.#views.get(key);
  }

  apply({ changed, removed }: TasksChanged): void {
    for (const key of removed) this.#views.delete(keyOf(key));
    for (const view of changed) this.#views.set(keyOf(view), view);
    this.#tell([...removed, ...changed].map(keyOf));
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

export function keyOf({ folderUri, plan, id }: TaskKey): string {
  return `${folderUri}\n${plan}\n${id}`;
}

/** What the editor can run by itself comes last. */
function isOfEditor({ plan }: TaskView): boolean {
  return plan.startsWith('.vscode/');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
