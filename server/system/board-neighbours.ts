import path from 'node:path';
import type { TreeEntry, TreeIndex } from './tree-index.ts';
import { hasRepository } from './working-tree.ts';
import { pathInside } from './path-inside.ts';

/** Whether a process decides for a board now, or commands of it still run. Gets the board's directory. */
export type IsInUse = (directory: string) => boolean;

export interface Place {
  /** The name of the board's directory. */
  readonly board: string;
  /** The working tree, without links. */
  readonly tree: string;
  /** Where the directories of all boards are. */
  readonly boards: string;
  readonly index: TreeIndex;
}

/**
 * Working trees of other boards in use that share files with this one: the same tree, or one in the other.
 * Neither board knows what the tasks of the other one write, so only one of them may be in use.
 */
export function conflictsOf(place: Place, isInUse: IsInUse): readonly string[] {
  return around(place, isInUse, (inner, outer) => !isRepositoryIn(inner, outer));
}

/**
 * Repositories in or around this one with a board in use. A repository inside another working tree, such as
 * a submodule, is a tree of its own: git keeps its files out of the outer one, and so do we.
 */
export function nestedRepositories(place: Place, isInUse: IsInUse): readonly string[] {
  return around(place, isInUse, isRepositoryIn);
}

/** What the user is told of a board in use that shares files with this one. */
export function conflictNotice(
  { tree }: Pick<Place, 'tree'>,
  [other]: readonly string[],
): string | undefined {
  if (other === undefined) return undefined;
  return (
    `Nothing runs in ${tree}, because another board of Interlock is in use for ${other}, and both have the same ` +
    'files. Wait until its tasks have ended, and close it there; or work in that folder.'
  );
}

/** What the user is told of nested repositories; undefined if there are none. */
export function neighbourNotice(
  { tree }: Pick<Place, 'tree'>,
  [other]: readonly string[],
): string | undefined {
  if (other === undefined) return undefined;
  const [inner, outer] = pathInside(tree, other) === undefined ? [tree, other] : [other, tree];
  return (
    `The repository ${inner} lies inside ${outer}, and each has a board of its own that is in use: neither ` +
    'knows which files the tasks of the other write. Run them one after the other, or open only one of them.'
  );
}

function around(
  { board, tree, boards, index }: Place,
  isInUse: IsInUse,
  isMeant: (inner: string, outer: string) => boolean,
): readonly string[] {
  const uses = new Map<string, boolean>();
  const isUsed = ({ board: other }: TreeEntry): boolean => {
    const known = uses.get(other) ?? isInUse(path.join(boards, other));
    uses.set(other, known);
    return known;
  };
  return index.trees
    .filter((other) => other.board !== board)
    .filter(({ path: other }) => {
      if (pathInside(tree, other) !== undefined) return isMeant(other, tree);
      return pathInside(other, tree) !== undefined && isMeant(tree, other);
    })
    .filter(isUsed)
    .map(({ path: other }) => other);
}

/** Whether a folder lies in another one, and is in a repository that does so as well. */
function isRepositoryIn(inner: string, outer: string): boolean {
  for (let at = inner; at !== outer && path.dirname(at) !== at; at = path.dirname(at))
    if (hasRepository(at)) return true;
  return false;
}
