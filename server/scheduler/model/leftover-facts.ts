import type { Instant } from '../../domain/time.ts';
import { parsePathSet } from '../../domain/paths/path-set.ts';
import type { BoardModel } from './board-model.ts';
import type { Leftover } from './owner-table.ts';
import type { Owner } from './ownership.ts';

/** A lost attempt; the task may ask for something else by now, and its run may be gone. */
export type PlainLeftover = Pick<Leftover, 'run' | 'task' | 'term' | 'asks' | 'patterns'> &
  Pick<Owner, 'worker' | 'tree' | 'policy'> & {
    readonly until?: Instant;
    /** What it wrote without having said so. */
    readonly undeclared: readonly string[];
    /** Whether its task waits for it. */
    readonly isAwaited: boolean;
    readonly isApart?: true;
  };

export function plainLeftoversOf(board: BoardModel): readonly PlainLeftover[] {
  return [...board.owners.leftovers.values()].map((leftover) => {
    const { run, task, term, asks, patterns, owner, undeclared, isApart } = leftover;
    const { worker, tree, policy, until } = owner;
    return {
      run,
      task,
      term,
      asks,
      patterns,
      worker,
      tree,
      ...(policy !== undefined && { policy }),
      ...(until !== undefined && { until }),
      undeclared: [...undeclared.keys()],
      isAwaited: board.find(run, task)?.leftover === owner,
      ...(isApart && { isApart }),
    };
  });
}

export function restoreLeftover(board: BoardModel, plain: PlainLeftover): void {
  const { run, task, term, asks, patterns, worker, tree, policy, until } = plain;
  const owner: Owner = {
    who: { kind: 'leftover', run, task, term },
    worker,
    tree,
    reads: parsePathSet(patterns.reads, patterns.folder),
    writes: parsePathSet(patterns.writes, patterns.folder),
    ...(policy !== undefined && { policy }),
    ...(until !== undefined && { until }),
    isLive: true,
  };
  const { isApart = false } = plain;
  const which = { run, task, term, isApart };
  const leftover = { ...which, asks, patterns, owner, undeclared: new Map() };
  board.owners.addLeftover(leftover, plain.undeclared);
  const entry = plain.isAwaited ? board.find(run, task) : undefined;
  if (entry !== undefined) entry.leftover = owner;
}
