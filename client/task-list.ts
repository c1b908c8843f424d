import type { TasksChanged } from '../protocol/runs.ts';
import type { TaskKey, TaskView, TaskViewState } from '../protocol/tasks.ts';
import { FolderPlaces } from './folder-places.ts';
import { needsUser } from './needs-user.ts';

interface Order {
  readonly views: TaskView[];
  readonly places: ReadonlyMap<string, number>;
}

/**
 * What the server last said of all tasks, in the order of their folders and plans.
 *
 * Invariant: a change of some tasks costs nothing for the others, as long as all stay where they are.
 */
export class TaskList {
  readonly #views = new Map<string, TaskView>();
  readonly #counts = new Map<TaskViewState, number>();
  readonly #places = new FolderPlaces();
  /** How many tasks each folder has. */
  readonly #inFolders = new Map<string, number>();
  readonly #listeners: ((changed: readonly string[]) => void)[] = [];
  #needing = 0;
  #paused = 0;
  #colliding = 0;
  #order: Order | undefined;
  #shape = 0;

  get all(): readonly TaskView[] {
    return this.#sorted().views;
  }

  get size(): number {
    return this.#views.size;
  }

  /** Another number whenever tasks come or go, stand elsewhere or wait for others than before. */
  get shape(): number {
    return this.#shape;
  }

  get(key: string): TaskView | undefined {
    return this.#views.get(key);
  }

  /** Where it stands among all. */
  placeOf(key: string): number {
    return this.#sorted().places.get(key) ?? -1;
  }

  count(...states: readonly TaskViewState[]): number {
    return states.reduce((sum, state) => sum + (this.#counts.get(state) ?? 0), 0);
  }

  /** Those that have tasks. */
  get folders(): ReadonlySet<string> {
    return new Set(this.#inFolders.keys());
  }

  /** How many want a person to do something. */
  get needing(): number {
    return this.#needing;
  }

  /** How many somebody has told to wait. */
  get paused(): number {
    return this.#paused;
  }

  /** How many wait for files that somebody else has. */
  get colliding(): number {
    return this.#colliding;
  }

  /** Puts the folders in the order in which the window has them. */
  arrange(folderUris: readonly string[]): void {
    if (!this.#places.arrange(folderUris)) return;
    this.#order = undefined;
    this.#shape += 1;
    this.#tell([]);
  }

  apply({ changed, removed }: Pick<TasksChanged, 'changed' | 'removed'>): void {
    for (const key of removed) this.#set(keyOf(key), undefined);
    for (const view of changed) this.#set(keyOf(view), view);
    this.#tell([...removed, ...changed].map(keyOf));
  }

  /** The server that said all this is gone. */
  clear(): void {
    const keys = [...this.#views.keys()];
    for (const key of keys) this.#set(key, undefined);
    this.#tell(keys);
  }

  onChange(listener: (changed: readonly string[]) => void): void {
    this.#listeners.push(listener);
  }

  #set(key: string, view: TaskView | undefined): void {
    const before = this.#views.get(key);
    this.#count(before, -1);
    this.#count(view, 1);
    if (view === undefined) this.#views.delete(key);
    else this.#views.set(key, view);
    if (view !== undefined && before !== undefined && isSamePlace(view, before)) {
      const place = this.#order?.places.get(key);
      if (this.#order !== undefined && place !== undefined) this.#order.views[place] = view;
      return;
    }
    this.#order = undefined;
    this.#shape += 1;
  }

  #count(view: TaskView | undefined, by: number): void {
    if (view === undefined) return;
    this.#counts.set(view.state, this.count(view.state) + by);
    const inFolder = (this.#inFolders.get(view.folderUri) ?? 0) + by;
    if (inFolder > 0) this.#inFolders.set(view.folderUri, inFolder);
    else this.#inFolders.delete(view.folderUri);
    if (needsUser(view)) this.#needing += by;
    if (view.isPaused) this.#paused += by;
    if (view.isColliding) this.#colliding += by;
  }

  #sorted(): Order {
    if (this.#order === undefined) {
      const views = [...this.#views.values()].toSorted(
        (a, b) => this.#places.compare(a, b) || inOrder(a, b),
      );
      this.#order = { views, places: new Map(views.map((view, place) => [keyOf(view), place])) };
    }
    return this.#order;
  }

  #tell(changed: readonly string[]): void {
    for (const listener of this.#listeners) listener(changed);
  }
}

/** The names alone of something that has more of a task. */
export function namesOf({ folderUri, plan, id }: TaskKey): TaskKey {
  return { folderUri, plan, id };
}

export function keyOf({ folderUri, plan, id }: TaskKey): string {
  return `${folderUri}\n${plan}\n${id}`;
}

function inOrder(a: TaskView, b: TaskView): number {
  return (
    compare(a.folderUri, b.folderUri) ||
    Number(isOfEditor(a)) - Number(isOfEditor(b)) ||
    compare(a.plan, b.plan) ||
    compare(a.planUri, b.planUri) ||
    a.line - b.line ||
    a.character - b.character ||
    compare(a.id, b.id)
  );
}

function isSamePlace(view: TaskView, before: TaskView): boolean {
  return inOrder(view, before) === 0 && view.dependsOn.join('\n') === before.dependsOn.join('\n');
}

/** What the editor can run by itself, from its tasks.json. */
export function isOfEditor({ plan }: Pick<TaskView, 'plan'>): boolean {
  return plan.startsWith('.vscode/');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
