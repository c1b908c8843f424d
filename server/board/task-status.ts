import { unreachable } from '../domain/assert.ts';
import { displayText, inShort } from '../domain/display-text.ts';
import type { Doer } from '../domain/asks.ts';
import type { WorkerId } from '../domain/ids.ts';
import { type Failure, holderOf, type TaskState } from '../domain/task.ts';
import { formatDuration, type Instant } from '../domain/time.ts';
import type { TaskRecord } from '../engine/store-port.ts';
import type { PlanTask } from '../plans/plan.ts';
import type { Reason } from '../scheduler/model/reason.ts';
import { isRunner, isSameWorker, LOCAL, placeOf } from '../scheduler/model/workers.ts';
import { explainAttention, explainTo } from '../scheduler/predicate/explain.ts';
import { silentHostOf } from '../scheduler/predicate/places.ts';
import { mayStart } from '../scheduler/predicate/may-start.ts';
import { clearsAt, timedText } from '../scheduler/predicate/why.ts';
import type { Turn } from '../scheduler/predicate/turn.ts';

/** What to say of one task: a word for its icon, and a clause where there is something to add. */
export interface TaskStatus {
  readonly kind:
    | 'idle'
    | 'blocked'
    | 'interrupted'
    | 'waiting'
    | 'ready'
    | Exclude<TaskState['kind'], 'pending'>;
  readonly detail: string;
  /** The same with the times at which something of it clears by itself, for whoever reads it now. */
  readonly detailNow?: string;
  /** When the first thing that it waits for clears by itself, which nobody says then. */
  readonly clearsAt?: Instant;
  /** It waits for files that somebody else has. */
  readonly isColliding?: boolean;
  /** Files that it waits for are those of who reads this: they can let it start. */
  readonly isUpToReader?: boolean;
  /** Who has the files that it waits for, where that is an agent or a person. */
  readonly blocker?: Holder;
}

/** Absent `until`: until it lets go. */
export interface Holder {
  readonly worker: WorkerId;
  readonly until?: Instant;
}

/** Whether nobody could tell them apart. */
export function isSameStatus(some: TaskStatus, other: TaskStatus): boolean {
  return (
    some.kind === other.kind &&
    some.detail === other.detail &&
    some.detailNow === other.detailNow &&
    some.clearsAt === other.clearsAt &&
    some.isColliding === other.isColliding &&
    some.isUpToReader === other.isUpToReader &&
    some.blocker?.worker === other.blocker?.worker &&
    some.blocker?.until === other.blocker?.until
  );
}

type HeldState = Extract<TaskState, { kind: 'claimed' | 'running' }>;
type FailedState = Extract<TaskState, { kind: 'failed' }>;

/** What its plan says that is done is so, unless a run has it. */
export function statusIn(
  { doneAs }: Pick<PlanTask, 'doneAs'>,
  {
    record,
    obstacle,
    outlook,
    reader,
  }: {
    readonly record: TaskRecord | undefined;
    readonly obstacle: string | undefined;
    readonly outlook: Turn | undefined;
    /** Who reads it, where that is a person. */
    readonly reader?: WorkerId | undefined;
  },
): TaskStatus {
  if (doneAs !== undefined && record?.runStatus !== 'active')
    return { kind: 'completed', detail: doneAs };
  return statusOf(record, obstacle, outlook, reader);
}

/** Of a task with no run, or with the state it has in its newest run. */
export function statusOf(
  record: TaskRecord | undefined,
  obstacle: string | undefined,
  outlook: Turn | undefined,
  reader?: WorkerId,
): TaskStatus {
  const isLive = record?.runStatus === 'active';
  if (obstacle !== undefined && !isLive) return { kind: 'blocked', detail: obstacle };
  if (record === undefined) return { kind: 'idle', detail: '' };
  const { state } = record;
  switch (state.kind) {
    case 'pending':
      return statusOfPending(record, outlook, reader);
    case 'claimed':
    case 'running':
      return { kind: state.kind, detail: explainHeld(state, outlook) };
    case 'attention':
      return { kind: 'attention', detail: explainAttention(state.why) };
    case 'completed':
      return { kind: 'completed', detail: formatDuration(state.finishedAt - state.startedAt) };
    case 'cancelled':
      return { kind: 'cancelled', detail: '' };
    case 'failed':
      return { kind: 'failed', detail: explainFailure(state) };
    case 'skipped':
      return { kind: 'skipped', detail: `because ${state.because} did not complete` };
    default:
      return unreachable(state);
  }
}

/** What whoever worked on a task said when it failed, whole. */
export function messageOf(state: TaskState): string | undefined {
  return state.kind === 'failed' && state.failure.kind === 'exit'
    ? state.failure.message
    : undefined;
}

/** The same behind the exit code, as far as a line has room. */
export function saidOf({ message }: Extract<Failure, { kind: 'exit' }>): string {
  return message === undefined ? '' : `: ${inShort(displayText(message))}`;
}

function explainHeld(
  { worker, stop, tries: { attempts } }: HeldState,
  outlook: Turn | undefined,
): string {
  const place = placeOf(worker);
  const isSilent = outlook !== undefined && silentHostOf(outlook.board, worker) !== undefined;
  const parts = [
    place === LOCAL ? '' : `on ${place}${isSilent ? ', which cannot be reached' : ''}`,
    attempts > 1 ? `attempt ${attempts}` : '',
    stop === undefined ? '' : 'asked to end',
  ];
  return displayText(parts.filter((part) => part !== '').join(', '));
}

function explainFailure({ failure, startedAt, finishedAt }: FailedState): string {
  const time = formatDuration(finishedAt - startedAt);
  switch (failure.kind) {
    case 'exit':
      return `exit code ${failure.code} after ${time}${saidOf(failure)}`;
    case 'signal':
      return `ended by ${failure.signal} after ${time}`;
    case 'timeout':
      return `timed out after ${time}`;
    case 'not-started':
      return failure.message;
    default:
      return unreachable(failure);
  }
}

function statusOfPending(
  { run, task, runStatus }: TaskRecord,
  outlook: Turn | undefined,
  reader: WorkerId | undefined,
): TaskStatus {
  if (runStatus === 'interrupted')
    return { kind: 'interrupted', detail: 'interrupted; run it again to go on' };
  if (runStatus === 'finished')
    return { kind: 'blocked', detail: 'its run has ended, because it could never start' };
  const entry = outlook?.board.find(run, task);
  if (outlook === undefined || entry === undefined) return { kind: 'waiting', detail: '' };
  const verdict = mayStart(outlook, entry);
  if (verdict.kind === 'yes') return { kind: 'ready', detail: whoClaims(entry.asks.doer) };
  const detail = verdict.reasons.map((reason) => explainTo(reader, reason)).join('; ');
  const detailNow = timedText(verdict.reasons, outlook.now, reader);
  const blocker = blockerIn(verdict.reasons, outlook);
  const isUpToReader = verdict.reasons.some(
    (one) =>
      one.kind === 'hazard' && one.owner.kind === 'person' && isSameWorker(reader, one.worker),
  );
  const clears = firstToClear(verdict.reasons, outlook.now);
  return {
    kind: 'waiting',
    detail,
    ...(detailNow !== detail && { detailNow }),
    ...(clears !== undefined && { clearsAt: clears }),
    ...(blocker && { blocker }),
    ...(isUpToReader && { isUpToReader }),
    ...(verdict.reasons.some(({ kind }) => kind === 'hazard') && { isColliding: true }),
  };
}

function firstToClear(reasons: readonly Reason[], now: Instant): Instant | undefined {
  const times = reasons.flatMap((reason) => clearsAt(reason) ?? []).filter((at) => at > now);
  return times.toSorted((a, b) => a - b)[0];
}

/** What nobody starts stays ready until somebody takes it. */
function whoClaims({ kind }: Doer): string {
  if (kind === 'person') return 'for a person to claim';
  if (kind === 'agent') return 'for an agent to claim';
  return kind === 'anyone' ? 'for anyone to claim' : '';
}

/** A lease is renewed again and again, so until when it goes is asked of the claim as it is now. */
function blockerIn(reasons: readonly Reason[], { board }: Turn): Holder | undefined {
  for (const reason of reasons)
    if (reason.kind === 'hazard' && !isRunner(reason.worker)) {
      const { worker, owner } = reason;
      const holder = owner.kind === 'task' ? board.find(owner.run, owner.task) : undefined;
      const until = reason.until ?? (holder && holderOf(holder.state)?.expiresAt);
      return until === undefined ? { worker } : { worker, until };
    }
  return undefined;
}
