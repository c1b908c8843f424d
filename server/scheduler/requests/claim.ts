import type { RunId, TaskId, WorkerId } from '../../domain/ids.ts';
import { boundedLease, leaseFor } from '../../domain/asks.ts';
import { isFinal, type TaskState } from '../../domain/task.ts';
import { type Instant, isOver } from '../../domain/time.ts';
import type { BoardModel } from '../model/board-model.ts';
import { claimOf, type ClaimDecision } from '../decision.ts';
import { decideStarts } from '../decide.ts';
import { keepStartsFor } from '../decisions/keep-starts.ts';
import { mayStart } from '../predicate/may-start.ts';
import type { Reason } from '../model/reason.ts';
import { firstInTurn, type PassedOver } from '../decisions/pull-order.ts';
import type { TaskEntry } from '../model/run-model.ts';
import type { Turn } from '../predicate/turn.ts';
import { isRunner, type Worker } from '../model/workers.ts';

export interface ClaimRequest {
  readonly worker: Worker;
  /** Absent: whatever comes first of what the worker may take. */
  readonly task?: { readonly run: RunId; readonly task: TaskId };
  /** What it may not take although the board lets it: files of plans say that others have claimed these. */
  readonly except?: readonly { readonly run: RunId; readonly task: TaskId }[];
  /** Absent: what the task says. */
  readonly leaseMs?: number;
}

export type ClaimAnswer =
  /** Committed like any other decision; the term comes from there. */
  | { readonly kind: 'claim'; readonly decision: ClaimDecision }
  /** The same request came before: the worker has this task, and has not begun, if it is not a person. */
  | {
      readonly kind: 'own';
      readonly run: RunId;
      readonly task: TaskId;
      readonly term: number;
      readonly expiresAt?: Instant;
    }
  | { readonly kind: 'held'; readonly holder: WorkerId; readonly until?: Instant }
  | { readonly kind: 'blocked'; readonly reasons: readonly Reason[] }
  | { readonly kind: 'ended'; readonly state: TaskState['kind'] }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'nothing-to-claim' };

/** A worker asks for work. It gets what the one predicate allows, and the reasons where it does not. */
export function answerClaim(board: BoardModel, request: ClaimRequest, now: Instant): ClaimAnswer {
  // The names of our runners are theirs.
  if (isRunner(request.worker.id)) return { kind: 'unknown' };
  // What the scheduler is about to start is not up for claims.
  const turn = decideStarts(board, now);
  keepStartsFor(turn, request.worker);
  if (request.task === undefined) return claimFirst(turn, request);
  const entry = board.find(request.task.run, request.task.task);
  return entry === undefined ? { kind: 'unknown' } : claimThis(turn, entry, request);
}

function claimThis(turn: Turn, entry: TaskEntry, request: ClaimRequest): ClaimAnswer {
  const { claim, state } = entry;
  if (isFinal(state)) return { kind: 'ended', state: state.kind };
  if (claim !== undefined && !isOver(claim.holder.expiresAt, turn.now)) {
    const { worker, term, expiresAt: until } = claim.holder;
    // Who has begun and is no person knows its claim: whoever asks in its name is another.
    const isAtWork = request.worker.kind !== 'person' && claim.holder.kind === 'running';
    if (worker !== request.worker.id || isAtWork)
      return { kind: 'held', holder: worker, ...(until !== undefined && { until }) };
    const which = { run: entry.run.manifest.id, task: entry.id };
    return { kind: 'own', ...which, term, ...(until !== undefined && { expiresAt: until }) };
  }
  // Until the sweep has given it back, nobody can have it.
  if (claim !== undefined) return { kind: 'held', holder: claim.holder.worker };
  const verdict = mayStart(turn, entry, { worker: request.worker });
  if (verdict.kind === 'no') return { kind: 'blocked', reasons: verdict.reasons };
  return { kind: 'claim', decision: decisionFor(turn, entry, request) };
}

function claimFirst(turn: Turn, request: ClaimRequest): ClaimAnswer {
  const { worker, except = [] } = request;
  const excepted = new Set(except.map(({ run, task }) => turn.board.find(run, task)));
  const first = firstInTurn(turn.board, (entry) =>
    excepted.has(entry) ? EXCEPTED : mayStart(turn, entry, { worker, isQuick: true }),
  );
  if (first === undefined) return { kind: 'nothing-to-claim' };
  const { entry, contending } = first;
  return { kind: 'claim', decision: { ...decisionFor(turn, entry, request), contending } };
}

const EXCEPTED: PassedOver = { kind: 'passed-over' };

function decisionFor(turn: Turn, entry: TaskEntry, request: ClaimRequest): ClaimDecision {
  const { worker } = request;
  const { leaseMs: asked } = request;
  const leaseMs = asked === undefined ? leaseFor(entry.asks, worker.kind) : boundedLease(asked);
  return claimOf(entry, { worker: worker.id, leaseMs, now: turn.now });
}
