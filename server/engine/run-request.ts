import type { RunId, TaskId } from '../domain/ids.ts';
import type { OutsideTask, RunManifest, RunPolicy } from '../domain/run.ts';
import type { TaskDefinition } from '../domain/task.ts';
import type { Instant } from '../domain/time.ts';
import type { BoardModel } from '../scheduler/model/board-model.ts';
import type { RunModel } from '../scheduler/model/run-model.ts';
import type { BoardEvent } from '../scheduler/model/board-event.ts';

export interface RunRequest {
  /** The id the run gets if it is a new one; asked for again under the same id, it is the same run. */
  readonly id: RunId;
  readonly root: string;
  readonly folder?: string;
  readonly plan: string;
  readonly planHash: string;
  readonly selection: readonly TaskId[];
  readonly requestedBy: string;
  readonly policy: RunPolicy;
  readonly tasks: readonly TaskDefinition[];
  /** Start a new run even where an unfinished one of the same plan and selection could go on. */
  readonly isNew: boolean;
  /** What its tasks call the tasks of other plans that they wait for; absent where they wait for none. */
  readonly refersTo?: readonly ReferredTask[];
  /** Nobody asked for it by itself: it comes because tasks of other requests need its tasks. */
  readonly isNeeded?: boolean;
}

/** A task of another plan of the same folder. */
export interface ReferredTask {
  readonly reference: TaskId;
  readonly plan: string;
  readonly task: TaskId;
}

export type SubmitResult =
  | { readonly kind: 'started'; readonly run: RunId }
  | { readonly kind: 'joined'; readonly run: RunId }
  /** Other tasks of this plan, or an earlier version of them, are being run now. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'queue-full'; readonly queued: number; readonly limit: number }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'untrusted' };

/** Of requests that were sent together. */
export type PartResult =
  | SubmitResult
  /** Nobody asked for it by itself, and what needs it has what it needs already. */
  | { readonly kind: 'unneeded' };

export type Place =
  | { readonly kind: 'join'; readonly run: RunManifest }
  | { readonly kind: 'resume'; readonly run: RunManifest }
  | { readonly kind: 'busy' }
  | { readonly kind: 'new'; readonly supersedes: readonly RunId[] };

/**
 * Where a request goes among the unfinished runs. A plan has one run at a time, because its tasks
 * would otherwise be started once for each run. A run that somebody carries on is joined when it has
 * all that was asked for; an interrupted one when it is the same run, and otherwise a new one takes
 * its place. But where an agent or a person holds a task of an interrupted run, their work goes on, so
 * that run is treated like a live one: a new one would cancel what they have.
 */
export function placeRequest(request: RunRequest, board: BoardModel): Place {
  const ofPlan = [...board.runs.values()].filter(
    ({ manifest: { root, plan } }) => root === request.root && plan === request.plan,
  );
  const live = ofPlan.find((run) => !run.isInterrupted && !run.isStopping);
  if (live !== undefined) {
    const isJoined = !request.isNew && coversTasks(live.manifest, request.tasks);
    return isJoined ? { kind: 'join', run: live.manifest } : { kind: 'busy' };
  }
  const left = ofPlan.filter((run) => !run.isStopping);
  const same = left.find(({ manifest }) => !request.isNew && isSameRun(manifest, request));
  const held = same === undefined ? left.find((run) => isHeldByWorkers(board, run)) : undefined;
  if (held !== undefined) {
    const isJoined = !request.isNew && coversTasks(held.manifest, request.tasks);
    return isJoined ? { kind: 'resume', run: held.manifest } : { kind: 'busy' };
  }
  return same === undefined
    ? { kind: 'new', supersedes: left.map(({ manifest }) => manifest.id) }
    : { kind: 'resume', run: same.manifest };
}

/** Whether an agent or a person holds one of its tasks. */
export function isHeldByWorkers({ claims }: BoardModel, run: RunModel): boolean {
  for (const { entry } of claims.pulled) if (entry.run === run) return true;
  return false;
}

/**
 * The same where nobody asked for it by itself: whatever else a run of its plan does, and who asked for
 * that, makes no difference, as long as it has the tasks.
 */
export function placeNeeded(request: RunRequest, board: BoardModel): Place {
  const place = placeRequest({ ...request, isNew: false }, board);
  if (place.kind !== 'new') return place;
  const left = place.supersedes.map((id) => board.runs.get(id)?.manifest);
  const same = left.findLast((run) => run !== undefined && coversTasks(run, request.tasks));
  return same === undefined ? place : { kind: 'resume', run: same };
}

export function manifestOf(
  request: RunRequest,
  requestedAt: Instant,
  outside: readonly OutsideTask[] = [],
): RunManifest {
  const { isNew: _, isNeeded: _isNeeded, refersTo: _refersTo, ...rest } = request;
  return { ...rest, requestedAt, ...(outside.length > 0 && { outside }) };
}

/** An interrupted run goes on, as it was asked for now. */
export function resumption(
  { id: run }: RunManifest,
  { policy: { parallel, failFast } }: RunRequest,
  at: Instant,
): BoardEvent {
  return { kind: 'runResumed', at, run, policy: { parallel, failFast } };
}

function coversTasks(manifest: RunManifest, tasks: readonly TaskDefinition[]): boolean {
  const running = new Set(manifest.tasks.map((task) => JSON.stringify(task)));
  return tasks.every((task) => running.has(JSON.stringify(task)));
}

/** The same tasks were asked for, and none has been edited since. */
function isSameRun(manifest: RunManifest, request: RunRequest): boolean {
  return (
    manifest.planHash === request.planHash && manifest.selection.join() === request.selection.join()
  );
}
