import { unreachable } from '../domain/assert.ts';
import type { RunId, TaskId, WorkerId } from '../domain/ids.ts';
import type { LoadMode, LoadReading } from '../domain/failure/load.ts';
import type { RunOutcome } from '../domain/run.ts';
import {
  holderOf,
  isFinal,
  type LossCause,
  type StopCause,
  type StopRequest,
  type TaskEvent,
  type TaskState,
} from '../domain/task.ts';
import { type Instant, laterBy } from '../domain/time.ts';
import type { BoardEvent } from './model/board-event.ts';
import type { CycleReport } from './model/cycle-report.ts';
import type { Reason } from './model/reason.ts';
import type { TaskEntry } from './model/run-model.ts';
import type { Starvation } from './model/starvation-count.ts';

/**
 * What the scheduler chose, with the facts it rests on. It is written to the ledger before anybody
 * acts on it.
 */
export type Decision = TaskDecision | FinishDecision | BoardDecision;

/** About one task, which has come to this revision and attempt: if it moves on, nobody acts on it. */
export type TaskDecision = {
  readonly run: RunId;
  readonly task: TaskId;
  readonly revision: number;
  readonly attempt: number;
} & Choice;

/** What is to become of a task. */
export type Choice =
  | {
      readonly kind: 'claim';
      readonly worker: WorkerId;
      readonly expiresAt?: Instant | undefined;
      /** Where the scheduler claims: the classes that had something to start, as a mask. */
      readonly contending?: number | undefined;
      readonly pathMs: number;
      readonly readySince: Instant;
    }
  | { readonly kind: 'skip'; readonly because: TaskId }
  | { readonly kind: 'revive' }
  | { readonly kind: 'cancel'; readonly why: 'stop-requested' | 'failure' }
  | {
      readonly kind: 'stop';
      readonly term: number;
      readonly why: StopCause;
      readonly signal: StopRequest['signal'];
      readonly dueAt: Instant;
    }
  | {
      readonly kind: 'expire';
      readonly term: number;
      readonly cause: LossCause;
      readonly deadline: Instant;
      readonly losses: number;
      /** Absent: it was lost too often. */
      readonly retryAt?: Instant;
    }
  /** What it is for happens in one cycle after the other. */
  | { readonly kind: 'wake'; readonly worker: WorkerId; readonly cycle: number }
  | { readonly kind: 'count-starvation'; readonly starvation: Starvation }
  | {
      readonly kind: 'request-worker';
      readonly needs: readonly string[];
      /** A configured agent that may be started and could do it. */
      readonly agent?: string;
    }
  | { readonly kind: 'report-starved'; readonly cycles: number; readonly queuedMs: number }
  | { readonly kind: 'flag-starved'; readonly cycles: number; readonly queuedMs: number };

export interface FinishDecision {
  readonly kind: 'finish';
  readonly run: RunId;
  readonly outcome: RunOutcome;
  /** Of a deadlock: what keeps each task that is left from ever starting. */
  readonly stuck: readonly { readonly task: TaskId; readonly reasons: readonly Reason[] }[];
}

type BoardDecision =
  | {
      readonly kind: 'change-load';
      readonly number: number;
      readonly from: LoadMode;
      readonly mode: LoadMode;
      readonly reading: LoadReading;
    }
  /** A round over the tasks that workers take for themselves. */
  | { readonly kind: 'cycle'; readonly number: number; readonly report: CycleReport };

/**
 * Acting twice on one decision is impossible: whoever acts remembers its key.
 */
export function keyOf(decision: Decision): string {
  if (decision.kind === 'finish') return `finish:${decision.run}`;
  if (decision.kind === 'cycle') return `cycle:${decision.number}`;
  if (decision.kind === 'change-load') return `change-load:${decision.number}`;
  const { run, task, revision, attempt } = decision;
  return `${whatOf(decision)}:${run}/${task}:${revision}:${attempt}`;
}

function whatOf(decision: TaskDecision): string {
  switch (decision.kind) {
    case 'stop':
      return `stop-${decision.signal}`;
    case 'wake':
      return `wake-${decision.worker}-${decision.cycle}`;
    case 'count-starvation':
      return `count-starvation-${decision.starvation.cycles}`;
    case 'claim':
    case 'skip':
    case 'revive':
    case 'cancel':
    case 'expire':
    case 'request-worker':
    case 'report-starved':
    case 'flag-starved':
      return decision.kind;
    default:
      return unreachable(decision);
  }
}

/** What is written to the ledger when a decision is committed. */
export function boardEventOf(
  decision: Decision,
  state: TaskState | undefined,
  minting: Minting,
): BoardEvent | undefined {
  const { now: at } = minting;
  switch (decision.kind) {
    case 'finish':
      return { kind: 'runFinished', at, run: decision.run, outcome: decision.outcome };
    case 'change-load':
      return { kind: 'loadChanged', at, mode: decision.mode };
    case 'cycle':
      return { kind: 'cycleRan', at, report: decision.report };
    default:
      if (state === undefined || !stillFits(decision, state)) return undefined;
      return eventOfTask(decision, state, minting);
  }
}

function eventOfTask(
  decision: TaskDecision,
  state: TaskState,
  minting: Minting,
): BoardEvent | undefined {
  const { run, task } = decision;
  const { now: at } = minting;
  switch (decision.kind) {
    case 'wake':
      return { kind: 'workerWoken', at, run, task, worker: decision.worker };
    case 'count-starvation':
      return { kind: 'starvationCounted', at, run, task, starvation: decision.starvation };
    case 'request-worker': {
      const { needs, agent } = decision;
      const event = { kind: 'workerRequested', at, run, task, needs } as const;
      return agent === undefined ? event : { ...event, agent };
    }
    case 'report-starved': {
      const { cycles, queuedMs } = decision;
      return { kind: 'taskStarved', at, run, task, cycles, queuedMs };
    }
    default: {
      const event = eventOf(decision, state, minting);
      if (event === undefined) return undefined;
      const contending = decision.kind === 'claim' ? decision.contending : undefined;
      if (contending === undefined) return { kind: 'taskMoved', run, task, event };
      return { kind: 'taskMoved', run, task, event, contending };
    }
  }
}

interface Minting {
  readonly now: Instant;
  /** Asked only for a claim that stands. */
  readonly mintTerm: () => number;
}

/**
 * What becomes of the task when a decision is committed: nothing where it has moved on since, or where
 * the decision is not about its state.
 */
export function eventOf(
  decision: TaskDecision,
  state: TaskState,
  { now, mintTerm }: Minting,
): TaskEvent | undefined {
  if (!stillFits(decision, state)) return undefined;
  switch (decision.kind) {
    case 'claim': {
      const { worker, expiresAt } = decision;
      const term = mintTerm();
      if (expiresAt === undefined) return { kind: 'taskClaimed', term, at: now, worker };
      return { kind: 'taskClaimed', term, at: now, worker, expiresAt };
    }
    case 'skip':
      return { kind: 'taskSkipped', at: now, because: decision.because };
    case 'revive':
      return { kind: 'taskRevived', at: now };
    case 'cancel':
      return { kind: 'taskCancelled', at: now };
    case 'stop': {
      const { term, why, signal } = decision;
      return { kind: 'stopAsked', term, at: now, why, signal };
    }
    case 'expire': {
      const { term, cause, retryAt } = decision;
      const event = { kind: 'taskLost', term, at: now, cause } as const;
      return retryAt === undefined ? event : { ...event, retryAt };
    }
    case 'flag-starved':
      return { kind: 'taskFlagged', at: now, why: 'starved' };
    case 'wake':
    case 'count-starvation':
    case 'request-worker':
    case 'report-starved':
      return undefined;
    default:
      return unreachable(decision);
  }
}

/** The part of a decision that says which task, and which try of it. */
export function about(
  entry: TaskEntry,
): Pick<TaskDecision, 'run' | 'task' | 'revision' | 'attempt'> {
  const { revision, attempts: attempt } = entry.state.tries;
  return { run: entry.run.manifest.id, task: entry.id, revision, attempt };
}

export type ClaimDecision = Extract<TaskDecision, { kind: 'claim' }>;

/** A claim for a worker, whoever makes it: the scheduler, or the worker itself. */
export function claimOf(
  entry: TaskEntry,
  how: Pick<ClaimDecision, 'worker' | 'contending'> & {
    readonly leaseMs: number | undefined;
    readonly now: Instant;
  },
): ClaimDecision {
  const { run, task, revision, attempt } = about(entry);
  const { worker, contending, leaseMs, now } = how;
  const { pathMs, readySince } = entry;
  const expiresAt = leaseMs === undefined ? undefined : laterBy(now, leaseMs);
  const next = { run, task, revision, attempt: attempt + 1 };
  return { ...next, kind: 'claim', worker, expiresAt, contending, pathMs, readySince };
}

/** A claim is about the next attempt, everything else about the one that the task has come to. */
export function stillFits(decision: TaskDecision, state: TaskState): boolean {
  const { tries } = state;
  if (tries.revision !== decision.revision) return false;
  const attempt = decision.kind === 'claim' ? tries.attempts + 1 : tries.attempts;
  if (attempt !== decision.attempt) return false;
  switch (decision.kind) {
    case 'stop':
    case 'expire':
      return holderOf(state)?.term === decision.term;
    case 'revive':
      return state.kind === 'skipped';
    case 'cancel':
      return !isFinal(state);
    default:
      return state.kind === 'pending';
  }
}
