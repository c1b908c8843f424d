import type { Instant } from '../domain/time.ts';

/** Sees what is written in working trees. Paths count from the top of the tree, with `/`. */
export interface TreeWatch {
  /** Until it is disposed of; what was written after `since` is found as far as it can be. */
  watch(tree: string, since: Instant, listener: TreeListener): WatchedTree;
}

export interface WatchedTree extends Disposable {
  /** All that was written until now has been told. */
  settle(): Promise<void>;
  /** From now on writing the same bytes again is known to be no change. The same key counts once. */
  remember(inputs: Inputs): void;
}

export interface Inputs {
  readonly key: string;
  /** Nothing that it has lies elsewhere; each may be a file. */
  readonly folders: readonly string[];
  readonly has: (path: string) => boolean;
}

export interface TreeListener {
  /** Told each path that was written or is gone, wanted or not. */
  readonly touched?: (path: string) => void;
  /** Asked for each path before anything is read of it. */
  readonly wants: (path: string) => boolean;
  readonly changed: (changes: readonly TreeChange[]) => void;
  /** Something the user should know; said once for a tree. */
  readonly noticed: (sentence: string) => void;
}

/** A file that git does not ignore was written, or is gone. */
export interface TreeChange {
  readonly path: string;
  /** It happened in this time, by the clock of the board. */
  readonly from: Instant;
  readonly until: Instant;
  /** It has the bytes that it had; `false` where nobody knows. */
  readonly isSame: boolean;
}
