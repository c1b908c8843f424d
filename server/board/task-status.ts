import { unreachable } from '../domain/assert.ts';
import type { TaskId } from '../domain/ids.ts';
import type { TaskState } from '../domain/task.ts';
import { formatDuration } from '../domain/time.ts';
import type { TaskRecord } from '../engine/ports.ts';
import { explain } from '../scheduler/explain.ts';
import { type HeldTask, reasonsAgainst } from '../scheduler/may-start.ts';
import type { Snapshot } from '../scheduler/snapshot.ts';

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
}

/** What the scheduler looks at, worked out once for all tasks. */
export interface Outlook {
  readonly snapshot: Snapshot;
  readonly held: readonly HeldTask[];
}

type FailedState = Extract<TaskState, { kind: 'failed' }>;

/** Of a task with no run, or with the state it has in its newest run. */
export function statusOf(
  record: TaskRecord | undefined,
  obstacle: string | undefined,
  outlook: Outlook,
): TaskStatus {
  const isLive = record?.runStatus === 'active';
  if (obstacle !== undefined && !isLive) return { kind: 'blocked', detail: obstacle };
  if (record === undefined) return { kind: 'idle', detail: '' };
  const { state } = record;
  switch (state.kind) {
    case 'pending':
      if (!isLive) return { kind: 'interrupted', detail: 'interrupted; run it again to go on' };
      return statusOfPending(record, outlook);
    case 'claimed':
    case 'running':
      return { kind: state.kind, detail: state.attempts > 1 ? `attempt ${state.attempts}` : '' };
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

function explainFailure({ failure, startedAt, finishedAt }: FailedState): string {
  const time = formatDuration(finishedAt - startedAt);
  switch (failure.kind) {
    case 'exit':
      return `exit code ${failure.code} after ${time}`;
    case 'signal':
      return `ended by ${failure.signal} after ${time}`;
    case 'not-started':
      return failure.message;
    default:
      return unreachable(failure);
  }
}

function statusOfPending(
  { run, task }: { run: string; task: TaskId },
  { snapshot, held }: Outlook,
): TaskStatus {
  const active = snapshot.runs.find(({ plan }) => plan.manifest.id === run);
  if (active === undefined) return { kind: 'waiting', detail: '' };
  const reasons = reasonsAgainst({ snapshot, run: active, held }, task);
  if (reasons.length === 0) return { kind: 'ready', detail: '' };
  return { kind: 'waiting', detail: reasons.map(explain).join('; ') };
}
