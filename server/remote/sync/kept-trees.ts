import type { TaskId } from '../../domain/ids.ts';

/** What is known of a term that has a tree on a machine. */
export interface TreeFacts {
  readonly term: number;
  readonly task: TaskId;
  /** Something of it may still run, or has not come back. */
  readonly isNeeded: boolean;
  readonly hasFailed: boolean;
  /** How long ago it ended; absent of one that has not. */
  readonly endedAgoMs?: number;
}

const AGE_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Which trees are removed. Of each task the newest that failed stays for a week, so that somebody can
 * look at it. A term that nobody knows anything of has nobody to come for it.
 */
export function treesToDiscard(
  there: readonly number[],
  known: readonly TreeFacts[],
): readonly number[] {
  const facts = new Map(known.map((tree) => [tree.term, tree]));
  const newest = new Map<TaskId, number>();
  for (const term of there) {
    const { task, hasFailed } = facts.get(term) ?? {};
    if (task !== undefined && hasFailed === true)
      newest.set(task, Math.max(term, newest.get(task) ?? 0));
  }
  return there.filter((term) => {
    const tree = facts.get(term);
    if (tree === undefined) return true;
    if (tree.isNeeded) return false;
    return newest.get(tree.task) !== term || (tree.endedAgoMs ?? 0) >= AGE_MS;
  });
}
