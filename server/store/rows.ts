import { unreachable } from '../domain/assert.ts';
import { parseWorkerId, type RunId, type TaskId, type WorkerId } from '../domain/ids.ts';
import type {
  AttentionCause,
  Departure,
  Ending,
  Failure,
  HolderState,
  ProcessIdentity,
  ReleaseReason,
  StopRequest,
  TaskState,
  Tries,
} from '../domain/task.ts';
import type { Instant } from '../domain/time.ts';
import { checkSum, rowSum } from './row-sum.ts';

/** The columns of `run_task` that hold a state. Values were checked when they were written. */
interface StateRow {
  readonly state: TaskState['kind'];
  readonly attempts: number;
  readonly term: number | null;
  readonly started_at: Instant | null;
  readonly finished_at: Instant | null;
  readonly detail: string;
}

/** A task of a run, and where it stands among the others. */
export interface TaskRow extends StateRow {
  readonly run_id: RunId;
  readonly position: number;
  readonly task_id: TaskId;
  readonly sum: number;
}

/** Whatever has no column. Older versions wrote less of it: what is absent is as it was for them. */
interface Detail {
  readonly revision?: number;
  readonly failures?: number;
  readonly losses?: number;
  readonly releases?: number;
  readonly releasedFor?: ReleaseReason;
  readonly notBefore?: Instant;
  readonly worker?: WorkerId;
  readonly expiresAt?: Instant;
  readonly leaseMs?: number;
  readonly stop?: StopRequest;
  readonly ending?: Ending;
  readonly left?: Departure;
  readonly process?: ProcessIdentity;
  readonly why?: AttentionCause;
  readonly since?: Instant;
  readonly failure?: Failure;
  readonly because?: TaskId;
}

/** Where a state is kept. */
export type TaskPlace = Pick<TaskRow, 'run_id' | 'position' | 'task_id'>;

export function taskToRow(place: TaskPlace, state: TaskState): TaskRow {
  const row = { ...place, ...stateToRow(state) };
  return { ...row, sum: rowSum(...summedOf(row)) };
}

export function rowToTask(row: TaskRow): TaskState {
  checkSum('run_task', row.sum, summedOf(row));
  return rowToState(row);
}

function summedOf(row: Omit<TaskRow, 'sum'>): readonly (string | number | null)[] {
  const { run_id, position, task_id, state, attempts, term, started_at, finished_at } = row;
  return [run_id, position, task_id, state, attempts, term, started_at, finished_at, row.detail];
}

function stateToRow(state: TaskState): StateRow {
  switch (state.kind) {
    case 'pending': {
      const { releasedFor, notBefore } = state;
      return rowOf(state, { ...given({ releasedFor, notBefore }) });
    }
    case 'claimed':
    case 'running':
      return rowOf(state, detailOfHolder(state), columnsOfHolder(state));
    case 'attention': {
      const { why, since, holder } = state;
      if (holder === undefined) return rowOf(state, { why, since });
      return rowOf(state, { ...detailOfHolder(holder), why, since }, columnsOfHolder(holder));
    }
    case 'completed':
    case 'failed': {
      const { startedAt: started_at, finishedAt: finished_at } = state;
      const detail = state.kind === 'failed' ? { failure: state.failure } : {};
      return rowOf(state, detail, { started_at, finished_at });
    }
    case 'cancelled':
      return rowOf(state, {}, { finished_at: state.finishedAt });
    case 'skipped':
      return rowOf(state, { because: state.because }, { finished_at: state.finishedAt });
    default:
      return unreachable(state);
  }
}

function rowOf(
  { kind, tries }: TaskState,
  detail: Detail,
  columns: Partial<Pick<StateRow, 'term' | 'started_at' | 'finished_at'>> = {},
): StateRow {
  const { attempts, ...counts } = tries;
  return {
    state: kind,
    attempts,
    term: null,
    started_at: null,
    finished_at: null,
    ...columns,
    detail: JSON.stringify({ ...counts, ...detail }),
  };
}

function columnsOfHolder(holder: HolderState): Pick<StateRow, 'term' | 'started_at'> {
  const started_at = holder.kind === 'running' ? holder.startedAt : holder.claimedAt;
  return { term: holder.term, started_at };
}

function detailOfHolder(holder: HolderState): Detail {
  const { worker, expiresAt, leaseMs, stop, ending, left } = holder;
  const process = holder.kind === 'running' ? holder.process : undefined;
  return { worker, ...given({ expiresAt, leaseMs, stop, ending, left, process }) };
}

function rowToState(row: StateRow): TaskState {
  const detail: Detail = JSON.parse(row.detail);
  const tries = triesOf(row, detail);
  const [startedAt, finishedAt] = [row.started_at!, row.finished_at!];
  switch (row.state) {
    case 'pending': {
      const { releasedFor, notBefore } = detail;
      return { kind: 'pending', tries, ...given({ releasedFor, notBefore }) };
    }
    case 'claimed':
      return { kind: 'claimed', ...holdOf(row, detail), claimedAt: startedAt };
    case 'running':
      return runningOf(row, detail);
    case 'attention': {
      const holder = row.term === null ? undefined : runningOf(row, detail);
      return { kind: 'attention', tries, why: detail.why!, since: detail.since!, holder };
    }
    case 'completed':
      return { kind: 'completed', tries, startedAt, finishedAt };
    case 'failed':
      return { kind: 'failed', tries, startedAt, finishedAt, failure: detail.failure! };
    case 'cancelled':
      return { kind: 'cancelled', tries, finishedAt };
    case 'skipped':
      return { kind: 'skipped', tries, because: detail.because!, finishedAt };
    default:
      return unreachable(row.state);
  }
}

function triesOf(
  { attempts }: StateRow,
  { revision = 1, failures = 0, losses = 0, releases }: Detail,
): Tries {
  return { revision, attempts, failures, losses, ...given({ releases }) };
}

/** The only one there was before there were several. */
const FIRST_WORKER = parseWorkerId('runner/local')!;

function holdOf(row: StateRow, detail: Detail): Omit<HolderState, 'kind'> {
  const { worker = FIRST_WORKER, expiresAt, leaseMs, stop, ending, left } = detail;
  const tries = triesOf(row, detail);
  return { tries, term: row.term!, worker, ...given({ expiresAt, leaseMs, stop, ending, left }) };
}

function runningOf(row: StateRow, detail: Detail): Extract<HolderState, { kind: 'running' }> {
  const { process } = detail;
  const startedAt = row.started_at!;
  return { kind: 'running', ...holdOf(row, detail), startedAt, ...given({ process }) };
}

type Given<Fields> = { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** Only what there is: absent and `undefined` are not the same to a state. */
function given<Fields extends object>(fields: Fields): Given<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  const all: Given<Fields> = {};
  return Object.assign(all, Object.fromEntries(entries));
}
