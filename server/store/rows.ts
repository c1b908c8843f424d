import { unreachable } from '../domain/assert.ts';
import type { RunManifest } from '../domain/run.ts';
import type { Failure, ProcessIdentity, ReleaseReason, TaskState } from '../domain/task.ts';
import type { Instant } from '../domain/time.ts';
import type { TaskId } from '../domain/ids.ts';
import type { LedgerEvent } from '../engine/ports.ts';

/** The columns of `run_task` that hold a state. Values were checked when they were written. */
export interface StateRow {
  readonly state: TaskState['kind'];
  readonly attempts: number;
  readonly term: number | null;
  readonly started_at: Instant | null;
  readonly finished_at: Instant | null;
  readonly detail: string | null;
}

interface Detail {
  readonly releasedFor?: ReleaseReason;
  readonly process?: ProcessIdentity;
  readonly failure?: Failure;
  readonly because?: TaskId;
}

export function stateToRow(state: TaskState): StateRow {
  const row = { state: state.kind, attempts: 0, term: null, started_at: null, finished_at: null };
  switch (state.kind) {
    case 'pending':
      return {
        ...row,
        attempts: state.attempts,
        detail: detailText({ releasedFor: state.releasedFor }),
      };
    case 'claimed':
      return {
        ...row,
        attempts: state.attempts,
        term: state.term,
        started_at: state.claimedAt,
        detail: null,
      };
    case 'running':
      return {
        ...row,
        attempts: state.attempts,
        term: state.term,
        started_at: state.startedAt,
        detail: detailText({ process: state.process }),
      };
    case 'completed':
    case 'failed':
      return {
        ...row,
        attempts: state.attempts,
        started_at: state.startedAt,
        finished_at: state.finishedAt,
        detail: state.kind === 'failed' ? detailText({ failure: state.failure }) : null,
      };
    case 'cancelled':
      return { ...row, attempts: state.attempts, finished_at: state.finishedAt, detail: null };
    case 'skipped':
      return {
        ...row,
        finished_at: state.finishedAt,
        detail: detailText({ because: state.because }),
      };
    default:
      return unreachable(state);
  }
}

export function rowToState(row: StateRow): TaskState {
  const detail: Detail = row.detail === null ? {} : JSON.parse(row.detail);
  const { attempts } = row;
  const [term, startedAt, finishedAt] = [row.term!, row.started_at!, row.finished_at!];
  switch (row.state) {
    case 'pending': {
      const { releasedFor } = detail;
      return { kind: 'pending', attempts, ...(releasedFor !== undefined && { releasedFor }) };
    }
    case 'claimed':
      return { kind: 'claimed', attempts, term, claimedAt: startedAt };
    case 'running':
      return { kind: 'running', attempts, term, startedAt, process: detail.process! };
    case 'completed':
      return { kind: 'completed', attempts, startedAt, finishedAt };
    case 'failed':
      return { kind: 'failed', attempts, startedAt, finishedAt, failure: detail.failure! };
    case 'cancelled':
      return { kind: 'cancelled', attempts, finishedAt };
    case 'skipped':
      return { kind: 'skipped', because: detail.because!, finishedAt };
    default:
      return unreachable(row.state);
  }
}

export function textToManifest(text: string): RunManifest {
  return JSON.parse(text);
}

export function textToLedgerEvent(text: string): LedgerEvent {
  return JSON.parse(text);
}

function detailText(detail: { readonly [Key in keyof Detail]: Detail[Key] | undefined }): string {
  return JSON.stringify(detail);
}
