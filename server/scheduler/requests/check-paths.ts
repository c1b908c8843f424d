import type { WorkerId } from '../../domain/ids.ts';
import { exactPattern } from '../../domain/paths/exact-pattern.ts';
import { NO_PATHS, parsePathSet, type PathSet } from '../../domain/paths/path-set.ts';
import { hazardPolicyOf } from '../../domain/run.ts';
import type { Instant } from '../../domain/time.ts';
import type { BoardModel } from '../model/board-model.ts';
import type { LostClaim } from '../model/losses.ts';
import { attemptOf } from '../model/owner-table.ts';
import { type Collision, isLet, type Owner } from '../model/ownership.ts';
import { isSameWorker } from '../model/workers.ts';

export interface PathQuestion {
  readonly worker: WorkerId;
  /** The working tree. */
  readonly tree: string;
  readonly reads?: PathSet;
  readonly writes: PathSet;
}

export type PathAnswer =
  | {
      readonly kind: 'free';
      /** Whom it meets all the same. */
      readonly warnings: readonly Collision[];
    }
  | { readonly kind: 'held'; readonly by: readonly Collision[] }
  /** The worker lost claims on these paths, and has not been told. */
  | { readonly kind: 'lost'; readonly claims: readonly LostClaim[] };

/**
 * Whether a worker may write paths without a task. A claim holds its paths until the ledger says that it
 * has ended, also when its lease ran out: while no process decides, no other worker can get the task.
 */
export function checkPaths(board: BoardModel, question: PathQuestion, now: Instant): PathAnswer {
  const { worker, tree, reads = NO_PATHS, writes } = question;
  const claims = board.losses.meeting(worker, { tree, writes });
  if (claims.length > 0) return { kind: 'lost', claims };
  const intent = { worker, tree, reads, writes, policy: hazardPolicyOf({}) };
  const met = board.owners.map
    .collisions(intent, board.timeAt(now))
    .filter(
      ({ owner }) => !isSameWorker(worker, owner.worker) && !letsTaskOf(board, worker, owner),
    );
  const inTheWay = met.filter(({ rule }) => rule === 'wait' || rule === 'ask');
  return inTheWay.length > 0 ? { kind: 'held', by: inTheWay } : { kind: 'free', warnings: met };
}

/** Whether a person lets a task that the worker has write beside them. */
export function letsTaskOf(
  { claims }: BoardModel,
  worker: WorkerId,
  owner: Pick<Owner, 'lets'>,
): boolean {
  if (owner.lets === undefined) return false;
  return [...claims.pulled].some(
    ({ holder, entry }) => holder.worker === worker && isLet(owner, attemptOf(entry)),
  );
}

/** One file, as it is called from the top of its working tree; undefined where no pattern can name it. */
export function fileToWrite(path: string): PathSet | undefined {
  const pattern = exactPattern(path);
  return pattern === undefined ? undefined : parsePathSet([pattern]);
}
