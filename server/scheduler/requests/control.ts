import { canBeStopped } from '../../domain/asks.ts';
import { unreachable } from '../../domain/assert.ts';
import type { RunId, TaskId, WorkerId } from '../../domain/ids.ts';
import { isQueueFull } from '../../domain/failure/load.ts';
import { duplicatesIn, type RunManifest } from '../../domain/run.ts';
import { refusePath } from '../../domain/paths/relative-path.ts';
import { isFinal, type TaskEvent } from '../../domain/task.ts';
import type { Instant } from '../../domain/time.ts';
import type { BoardEvent } from '../model/board-event.ts';
import type { BoardModel } from '../model/board-model.ts';
import { isDoom } from '../model/edge-state.ts';
import { retryAfterLoss } from '../model/loss.ts';
import type { RunModel, TaskEntry } from '../model/run-model.ts';
import { isRunner, placeOf } from '../model/workers.ts';

/** What an operator asks for. It outranks whatever the scheduler would do. */
export type ControlRequest =
  | { readonly kind: 'submit-run'; readonly manifest: RunManifest }
  | { readonly kind: 'stop-run'; readonly run: RunId }
  | { readonly kind: 'pause-board' | 'resume-board' }
  /** Forgets whom it woke when, and nothing else. */
  | { readonly kind: 'rebuild' }
  /** Whoever it is gets nothing new, or gets what there is again. */
  | { readonly kind: 'drain-worker' | 'undrain-worker'; readonly worker: WorkerId }
  /** A person wrote these files while a task ran, or wants to hear of them no more. */
  | {
      readonly kind: 'dismiss-writes';
      readonly tree: string;
      /** From the top of the working tree. */
      readonly paths: readonly string[];
      /** The run may have ended. */
      readonly of: { readonly run: RunId; readonly task: TaskId };
      readonly isForAll: boolean;
    }
  | {
      readonly kind: 'cancel-task' | 'retry-task' | 'answer-task' | 'pause-task' | 'resume-task';
      readonly run: RunId;
      readonly task: TaskId;
    }
  /** Takes a task from the agent or person who has it under this term, as if their lease had ended. */
  | {
      readonly kind: 'take-task';
      readonly run: RunId;
      readonly task: TaskId;
      readonly term: number;
    };

export type ControlAnswer =
  /** No events: it was so already. */
  | { readonly kind: 'accepted'; readonly events: readonly BoardEvent[] }
  | { readonly kind: 'refused'; readonly why: ControlRefusal };

type ControlRefusal =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'ended' }
  /** Somebody is at work on it. */
  | { readonly kind: 'held' }
  | { readonly kind: 'nothing-to-do' }
  /** Its run starts nothing more: it would be cancelled at once. */
  | { readonly kind: 'run-ends'; readonly because: 'stop-requested' | 'failure' }
  | { readonly kind: 'queue-full'; readonly queued: number; readonly limit: number }
  | { readonly kind: 'too-many-tasks'; readonly limit: number }
  | { readonly kind: 'too-many-drained'; readonly limit: number }
  | { readonly kind: 'duplicate-task'; readonly task: TaskId };

/** On one board. */
const TASK_LIMIT = 100_000;
const DRAINED_LIMIT = 1000;

export function answerControl(
  board: BoardModel,
  request: ControlRequest,
  now: Instant,
): ControlAnswer {
  const at = board.timeAt(now);
  switch (request.kind) {
    case 'submit-run':
      return submit(board, request.manifest, at);
    case 'stop-run': {
      const run = board.runs.get(request.run);
      if (run === undefined) return refused({ kind: 'unknown' });
      if (run.isStopping) return accepted([]);
      return accepted([{ kind: 'runStopAsked', at, run: request.run }]);
    }
    case 'pause-board':
      return accepted(board.isPaused ? [] : [{ kind: 'boardPaused', at }]);
    case 'resume-board':
      return accepted(board.isPaused ? [{ kind: 'boardResumed', at }] : []);
    case 'rebuild':
      return accepted([{ kind: 'wakesForgotten', at }]);
    case 'drain-worker':
      return drain(board, request.worker, at);
    case 'undrain-worker': {
      const { worker } = request;
      const isDrained = board.workers.isDrained(worker);
      return accepted(isDrained ? [{ kind: 'workerUndrained', at, worker }] : []);
    }
    case 'dismiss-writes':
      return dismiss(board, request, at);
    case 'take-task': {
      const entry = board.find(request.run, request.task);
      if (entry === undefined) return refused({ kind: 'unknown' });
      return take(entry, request.term, at);
    }
    default: {
      const entry = board.find(request.run, request.task);
      if (entry === undefined) return refused({ kind: 'unknown' });
      return answerForTask(board, entry, { kind: request.kind, at });
    }
  }
}

/** Whoever is not here can be drained too, before they come: there is a limit to how many. */
function drain({ workers }: BoardModel, worker: WorkerId, at: Instant): ControlAnswer {
  if (workers.isDrained(worker)) return accepted([]);
  if (isRunner(worker) && !workers.places.has(placeOf(worker))) return refused({ kind: 'unknown' });
  if (workers.drained.size >= DRAINED_LIMIT)
    return refused({ kind: 'too-many-drained', limit: DRAINED_LIMIT });
  return accepted([{ kind: 'workerDrained', at, worker }]);
}

function dismiss(
  { owners: { dismissed } }: BoardModel,
  { tree, paths, of, isForAll }: Extract<ControlRequest, { kind: 'dismiss-writes' }>,
  at: Instant,
): ControlAnswer {
  const isNews = (path: string): boolean =>
    refusePath(path) === undefined &&
    !dismissed.covers({ tree, path, ...(isForAll ? {} : { of }) });
  const news = [...new Set(paths.filter(isNews))];
  if (news.length === 0) return accepted([]);
  return accepted([{ kind: 'writesDismissed', at, tree, paths: news, of, isForAll }]);
}

function submit(board: BoardModel, manifest: RunManifest, at: Instant): ControlAnswer {
  if (board.runs.has(manifest.id)) return accepted([]);
  const queued = board.ready.size;
  const { queueLimit } = board.load;
  if (isQueueFull({ queued, queueLimit }))
    return refused({ kind: 'queue-full', queued, limit: queueLimit });
  const [twice] = duplicatesIn(manifest.tasks);
  if (twice !== undefined) return refused({ kind: 'duplicate-task', task: twice });
  const tooMany = refusedNumber(board, manifest.tasks.length);
  if (tooMany !== undefined) return refused(tooMany);
  return accepted([{ kind: 'runSubmitted', at, manifest }]);
}

/** Why a board does not take so many more tasks; nothing where it does. */
export function refusedNumber(board: BoardModel, count: number): ControlRefusal | undefined {
  let tasks = count;
  for (const { open } of board.runs.values()) tasks += open;
  return tasks > TASK_LIMIT ? { kind: 'too-many-tasks', limit: TASK_LIMIT } : undefined;
}

/** A runner is asked to end instead: its command is not gone because somebody wants its task. */
function take(entry: TaskEntry, term: number, at: Instant): ControlAnswer {
  const holder = entry.claim?.holder;
  if (holder?.term !== term || isRunner(holder.worker)) return refused({ kind: 'nothing-to-do' });
  const lost = { kind: 'taskLost', term, at, cause: 'lease-expired' } as const;
  return accepted([moved(entry, { ...lost, ...retryAfterLoss(entry, at) })]);
}

type TaskRequestKind = Exclude<Extract<ControlRequest, { task: TaskId }>['kind'], 'take-task'>;

function answerForTask(
  board: BoardModel,
  entry: TaskEntry,
  { kind, at }: { readonly kind: TaskRequestKind; readonly at: Instant },
): ControlAnswer {
  const isOver = isFinal(entry.state);
  switch (kind) {
    case 'cancel-task':
      return isOver ? refused({ kind: 'ended' }) : cancel(entry, at);
    case 'retry-task':
      return retry(board, entry, at);
    case 'answer-task':
      return entry.state.kind === 'attention'
        ? retry(board, entry, at)
        : refused({ kind: 'nothing-to-do' });
    case 'pause-task':
    case 'resume-task': {
      if (isOver) return refused({ kind: 'ended' });
      const isPausing = kind === 'pause-task';
      if (entry.isPaused === isPausing) return accepted([]);
      const which = { run: entry.run.manifest.id, task: entry.id };
      return accepted([{ kind: isPausing ? 'taskPaused' : 'taskResumed', at, ...which }]);
    }
    default:
      return unreachable(kind);
  }
}

/** A command is asked to end, and the task is cancelled when it has. */
function cancel(entry: TaskEntry, at: Instant): ControlAnswer {
  const { claim, asks } = entry;
  if (claim === undefined || !canBeStopped(asks.doer))
    return accepted([moved(entry, { kind: 'taskCancelled', at })]);
  const { term, stop } = claim.holder;
  if (stop?.why === 'cancelled') return accepted([]);
  // One that is being ended already is not given its grace again.
  const signal = stop?.signal ?? 'terminate';
  return accepted([moved(entry, { kind: 'stopAsked', term, at, why: 'cancelled', signal })]);
}

/**
 * Runs it again from the beginning. What it was skipped for is retried first; it follows by itself.
 */
function retry(board: BoardModel, entry: TaskEntry, at: Instant): ControlAnswer {
  const { claim, asks, state, run } = entry;
  const again = state.kind === 'skipped' ? doomedFor(board, entry) : [entry];
  // Tasks that wait for each other were skipped for each other.
  if (again.length === 0) return refused({ kind: 'nothing-to-do' });
  for (const each of new Set([run, ...again.map((other) => other.run)])) {
    if (each.isStopping) return refused({ kind: 'run-ends', because: 'stop-requested' });
    if (each.manifest.policy.failFast && failedBeside(each, again) > 0)
      return refused({ kind: 'run-ends', because: 'failure' });
  }
  if (claim !== undefined) {
    if (state.kind !== 'attention' || !canBeStopped(asks.doer)) return refused({ kind: 'held' });
    const { term, stop } = claim.holder;
    if (stop !== undefined)
      return stop.why === 'retried' ? accepted([]) : refused({ kind: 'held' });
    const ending = { kind: 'stopAsked', term, at, why: 'retried', signal: 'terminate' } as const;
    return accepted([moved(entry, ending)]);
  }
  if (state.kind === 'pending' && state.notBefore === undefined)
    return refused({ kind: 'nothing-to-do' });
  return accepted(again.map((each) => moved(each, { kind: 'taskRetried', at })));
}

function failedBeside(run: RunModel, again: readonly TaskEntry[]): number {
  const own = again.filter((each) => each.run === run && each.state.kind === 'failed');
  return run.failed - own.length;
}

/** The failed and cancelled tasks behind a skipped one, those of other runs included. */
function doomedFor(board: BoardModel, entry: TaskEntry): readonly TaskEntry[] {
  const seen = new Set([entry]);
  for (const each of seen) {
    each.run.forEachPredecessor(each, (predecessor, mustComplete) => {
      if (mustComplete && isDoom(predecessor.state)) seen.add(predecessor);
    });
    for (const { outside, mustComplete } of each.run.outsideOf(each)) {
      const other = board.find(outside.task.run, outside.task.task);
      if (mustComplete && other !== undefined && isDoom(other.state)) seen.add(other);
    }
  }
  return [...seen].filter(({ state }) => state.kind !== 'skipped');
}

function moved({ run, id: task }: TaskEntry, event: TaskEvent): BoardEvent {
  return { kind: 'taskMoved', run: run.manifest.id, task, event };
}

function accepted(events: readonly BoardEvent[]): ControlAnswer {
  return { kind: 'accepted', events };
}

function refused(why: ControlRefusal): ControlAnswer {
  return { kind: 'refused', why };
}
