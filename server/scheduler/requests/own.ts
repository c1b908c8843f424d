import { unreachable } from '../../domain/assert.ts';
import type { WorkerId } from '../../domain/ids.ts';
import { parsePathSet, parsePattern, refuseList } from '../../domain/paths/path-set.ts';
import type { Instant } from '../../domain/time.ts';
import type { BoardEvent } from '../model/board-event.ts';
import type { BoardModel } from '../model/board-model.ts';
import type { LostClaim } from '../model/losses.ts';
import type { Collision, TaskAttempt } from '../model/ownership.ts';
import { isRunner } from '../model/workers.ts';
import { checkPaths, type PathAnswer } from './check-paths.ts';

/** Somebody wants paths without a task. */
export interface OwnRequest {
  readonly id: string;
  readonly worker: WorkerId;
  readonly tree: string;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** A buffer with changes: it is a fact, whoever else is there. */
  readonly isUnsaved: boolean;
  /** It was saved since, and is kept until `until`. */
  readonly isSaved?: boolean;
  /** Attempts that need not wait for it. */
  readonly lets?: readonly TaskAttempt[];
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
  /** The worker lost claims on these paths, and has not been told. */
  | { readonly kind: 'lost'; readonly claims: readonly LostClaim[] }
  /** Nothing is owned. */
  | { readonly kind: 'refused'; readonly what: string; readonly message: string };

/** Paths that somebody writes now are not given to anybody else. */
export function answerOwn(board: BoardModel, request: OwnRequest, now: Instant): OwnAnswer {
  const at = board.timeAt(now);
  const patterns = [...request.reads, ...request.writes];
  const tooMany = refuseList(patterns);
  if (tooMany !== undefined) return refused(`${patterns.length} patterns`, tooMany);
  for (const pattern of patterns) {
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
  const answer = checkPaths(board, { worker, tree, reads, writes }, at);
  if (answer.kind !== 'free' && !request.isUnsaved) return answer;
  const event = { kind: 'pathsOwned', at, ...request } as const;
  return { kind: 'accepted', event, warnings: warningsIn(answer) };
}

function warningsIn(answer: PathAnswer): readonly Collision[] {
  switch (answer.kind) {
    case 'free':
      return answer.warnings;
    case 'held':
      return answer.by;
    case 'lost':
      return [];
    default:
      return unreachable(answer);
  }
}

function refused(what: string, message: string): OwnAnswer {
  return { kind: 'refused', what, message };
}
