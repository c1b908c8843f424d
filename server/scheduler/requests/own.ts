import type { WorkerId } from '../../domain/ids.ts';
import { parsePathSet, parsePattern } from '../../domain/paths/path-set.ts';
import { hazardPolicyOf } from '../../domain/run.ts';
import type { Instant } from '../../domain/time.ts';
import type { BoardEvent } from '../model/board-event.ts';
import type { BoardModel } from '../model/board-model.ts';
import type { Collision } from '../model/ownership.ts';
import { isRunner, isSameWorker } from '../model/workers.ts';

/** Somebody wants paths without a task. */
export interface OwnRequest {
  readonly id: string;
  readonly worker: WorkerId;
  readonly tree: string;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** A buffer with changes: it is a fact, whoever else is there. */
  readonly isUnsaved: boolean;
  readonly until?: Instant;
}

export type OwnAnswer =
  | {
      readonly kind: 'accepted';
      readonly event: BoardEvent;
      /** Whom it meets all the same. */
      readonly warnings: readonly Collision[];
    }
  | { readonly kind: 'held'; readonly by: readonly Collision[] }
  /** Nothing is owned. */
  | { readonly kind: 'refused'; readonly what: string; readonly message: string };

/** Paths that somebody writes now are not given to anybody else. */
export function answerOwn(board: BoardModel, request: OwnRequest, now: Instant): OwnAnswer {
  const at = board.timeAt(now);
  for (const pattern of [...request.reads, ...request.writes]) {
    const parsed = parsePattern(pattern);
    if (parsed.kind === 'refused') return refused(pattern, parsed.message);
  }
  const { id, worker, tree, until } = request;
  const before = board.owners.people.get(id);
  if (isRunner(worker)) return refused(worker, 'That is the name of a runner of this board.');
  if (before !== undefined && before.worker !== worker)
    return refused(id, `These paths are those of ${before.worker}.`);
  if (until !== undefined && !(Number.isSafeInteger(until) && until > at))
    return refused(String(until), 'That is no time to come, in whole milliseconds.');
  const [reads, writes] = [parsePathSet(request.reads), parsePathSet(request.writes)];
  const intent = { worker, tree, reads, writes, policy: hazardPolicyOf({}) };
  const met = board.owners.map
    .collisions(intent, at)
    .filter(({ owner }) => !isSameWorker(worker, owner.worker));
  const inTheWay = met.filter(({ rule }) => rule === 'wait' || rule === 'ask');
  if (inTheWay.length > 0 && !request.isUnsaved) return { kind: 'held', by: inTheWay };
  return { kind: 'accepted', event: { kind: 'pathsOwned', at, ...request }, warnings: met };
}

function refused(what: string, message: string): OwnAnswer {
  return { kind: 'refused', what, message };
}
