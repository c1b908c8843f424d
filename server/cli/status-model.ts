import { heldBy } from '../board/held-by.ts';
import type { Board } from '../board/board.ts';
import type { BoardTask } from '../board/board-task.ts';
import type { OpenBoard } from '../board/ports.ts';
import { observedClause, observedLists } from '../board/observed-text.ts';
import { messageOf, type TaskStatus } from '../board/task-status.ts';
import { displayText } from '../domain/display-text.ts';
import type { RunId, TaskId, WorkerId } from '../domain/ids.ts';
import { holderOf, type TaskState } from '../domain/task.ts';
import { type Instant, isOver } from '../domain/time.ts';
import { isRunner } from '../scheduler/model/workers.ts';
import type { BoardModel } from '../scheduler/model/board-model.ts';
import type { ReleaseAsk } from '../scheduler/model/ownership.ts';
import type { RunModel } from '../scheduler/model/run-model.ts';

/** What `interlock status` knows of a folder. */
export interface StatusModel {
  readonly board: {
    readonly isPaused: boolean;
    readonly load: string;
    /** Who decides; nothing when nobody does. */
    readonly decider: string | null;
    /** Workers that are given nothing new; absent: none. */
    readonly drained?: readonly WorkerId[];
  };
  readonly runs: readonly RunRow[];
  readonly tasks: readonly TaskRow[];
  /** Paths that somebody has taken without a task, on all of the board. */
  readonly taken: readonly TakenRow[];
}

export interface TakenRow {
  readonly worker: WorkerId;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** A buffer with unsaved changes. */
  readonly isUnsaved: boolean;
  readonly until?: Instant;
  readonly asked: readonly ReleaseAsk[];
}

interface RunRow {
  readonly id: RunId;
  readonly plan: string;
  readonly status: 'active' | 'stopping' | 'interrupted';
  readonly requestedAt: Instant;
  readonly requestedBy: string;
  readonly counts: Readonly<Partial<Record<TaskState['kind'], number>>>;
}

interface TaskRow {
  readonly plan: string;
  readonly id: TaskId;
  readonly title: string;
  readonly state: TaskStatus['kind'];
  readonly detail: string;
  readonly run?: RunId;
  readonly isPaused?: true;
  readonly attempts: number;
  /** Paths from the top of the working tree that it wrote and had not declared. */
  readonly undeclared?: readonly string[];
  /** The same, where it was one of several who could have written them. */
  readonly unclear?: readonly string[];
  /** What it reads, and others wrote after it had begun. */
  readonly stale?: readonly string[];
  /** What it writes, and a shell command of an agent may have changed. */
  readonly touched?: readonly string[];
  /** Of a failed one: what whoever worked on it said. */
  readonly message?: string;
  readonly holder?: {
    readonly worker: WorkerId;
    readonly term: number;
    readonly expiresAt?: Instant;
  };
}

/** Of a folder whose store cannot be opened, the tasks of its plans are known all the same. */
export function statusModel(board: Board, open: OpenBoard | undefined): StatusModel {
  const model = open?.keeper.board;
  const now = open?.clock.now();
  const runs = [...(model?.runs.values() ?? [])].filter(
    ({ manifest }) => manifest.root === board.root,
  );
  return {
    board: {
      isPaused: model?.isPaused ?? false,
      load: model?.mode ?? 'normal',
      decider: open?.decider() ?? null,
      ...(model && model.workers.drained.size > 0 && { drained: [...model.workers.drained] }),
    },
    runs: runs.map(runRow),
    tasks: board.tasks().map((task) => markObserved(markPaused(taskRow(task, now), model), task)),
    taken: model === undefined || now === undefined ? [] : takenRows(model, now),
  };
}

function takenRows({ owners }: BoardModel, now: Instant): readonly TakenRow[] {
  return [...owners.people.values()].flatMap(({ who, worker, patterns, until, asked = [] }) => {
    if (isOver(until, now)) return [];
    const isUnsaved = who.kind === 'person' && who.isUnsaved;
    const { reads, writes } = patterns;
    return [{ worker, reads, writes, isUnsaved, ...(until !== undefined && { until }), asked }];
  });
}

/** Of a task that somebody holds nothing else would say it. */
function markPaused(row: TaskRow, model: BoardModel | undefined): TaskRow {
  const entry = row.run === undefined ? undefined : model?.find(row.run, row.id);
  if (entry?.isPaused !== true) return row;
  const isSaid = row.detail.includes('paused');
  const detail = isSaid
    ? row.detail
    : [row.detail, 'paused'].filter((part) => part !== '').join(', ');
  return { ...row, detail, isPaused: true };
}

function markObserved(row: TaskRow, { observed }: BoardTask): TaskRow {
  if (observed === undefined) return row;
  const parts = [row.detail, displayText(observedClause(observed))].filter((part) => part !== '');
  return { ...row, detail: parts.join('; '), ...observedLists(observed) };
}

function runRow({ manifest, entries, isStopping, isInterrupted }: RunModel): RunRow {
  const counts: Partial<Record<TaskState['kind'], number>> = {};
  for (const { state } of entries) counts[state.kind] = (counts[state.kind] ?? 0) + 1;
  const { id, plan, requestedAt, requestedBy } = manifest;
  const status = isInterrupted ? 'interrupted' : isStopping ? 'stopping' : 'active';
  return { id, plan, status, requestedAt, requestedBy, counts };
}

function taskRow({ plan, task, status, record }: BoardTask, now: Instant | undefined): TaskRow {
  const { kind } = status;
  const { detailNow: detail = status.detail } = status;
  const row = {
    plan: plan.path,
    id: task.id,
    title: displayText(task.title),
    state: kind,
    attempts: record?.state.tries.attempts ?? 0,
  };
  if (record === undefined) return { ...row, detail: displayText(detail) };
  const holder = holderOf(record.state);
  const message = messageOf(record.state);
  if (holder === undefined)
    return {
      ...row,
      run: record.run,
      detail: displayText(detail),
      ...(message !== undefined && { message }),
    };
  const { worker, term, expiresAt } = holder;
  // Nobody wants to know that a runner of ours renews its lease.
  const who = isRunner(worker) || now === undefined ? '' : heldBy(worker, expiresAt, now);
  return {
    ...row,
    run: record.run,
    detail: displayText([detail, who].filter((part) => part !== '').join(', ')),
    holder: { worker, term, ...(expiresAt !== undefined && { expiresAt }) },
  };
}
