import type { PlansRead } from '../protocol/starter-plan.ts';
import { FolderPlaces } from './folder-places.ts';

/** What the server last said of the plans of each folder; nothing of a folder that it is still reading. */
export class PlanList {
  readonly #folders = new Map<string, PlansRead>();
  readonly #places = new FolderPlaces();
  readonly #listeners: (() => void)[] = [];

  get all(): readonly PlansRead[] {
    return [...this.#folders.values()].toSorted((a, b) => this.#places.compare(a, b));
  }

  /** Puts the folders in the order in which the window has them. */
  arrange(folderUris: readonly string[]): void {
    if (this.#places.arrange(folderUris)) this.#tell();
  }

  apply(read: PlansRead): void {
    this.#folders.set(read.folderUri, read);
    this.#tell();
  }

  /** Of folders that are closed nobody tells any more. */
  keep(isOpen: (folderUri: string) => boolean): void {
    for (const uri of this.#folders.keys()) if (!isOpen(uri)) this.#folders.delete(uri);
    this.#tell();
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
