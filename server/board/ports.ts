import type { Engine } from '../engine/engine.ts';
import type { Listener, Store } from '../engine/ports.ts';
import type { PathRules } from '../domain/paths/overlap.ts';

/** Plans on disk, by their path relative to a workspace folder, with `/`. */
export interface PlanFiles {
  list(root: string): readonly string[];
  /** Nothing when the file is gone or cannot be read. */
  read(root: string, plan: string): string | undefined;
}

/** What a board needs of the machine it is on. */
export interface BoardWorld {
  readonly files: PlanFiles;
  readonly rules: PathRules;
  /** How many tasks run at once where a plan does not say. */
  readonly defaultParallel: number;
  hash(text: string): string;
  /** Calls back again and again until it is disposed of; keeps no process alive. */
  every(intervalMs: number, callback: () => void): Disposable;
  /** The folder without links on the way to it; nothing when it does not exist. */
  realFolder(folder: string): string | undefined;
  /** Opens the store and the engine of a folder; throws a `StoreError` when that cannot be done. */
  open(
    root: string,
    options: { readonly isTrusted: boolean; readonly listener: Listener },
  ): OpenBoard;
}

export interface OpenBoard {
  readonly engine: Engine;
  readonly store: Store;
  /** Something the user should know of, for instance that a damaged file was moved aside. */
  readonly notice: string | undefined;
  logFile(attempt: { run: string; task: string; attempt: number }): string;
}
