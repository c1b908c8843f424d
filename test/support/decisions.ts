import type { RunId, TaskId } from '../../server/domain/ids.ts';
import { instant } from '../../server/domain/time.ts';
import type { RunOutcome } from '../../server/domain/run.ts';
import type { FinishDecision, TaskDecision } from '../../server/scheduler/decision.ts';
import { LOCAL, runnerAt } from '../../server/scheduler/model/workers.ts';
import { runId } from './runs.ts';

/** The task of a decision, and which try of it; what is not said is that of a task of run 1. */
export interface Try {
  readonly task: TaskId;
  readonly run?: RunId;
  readonly revision?: number;
  readonly attempt?: number;
}

/** Of the first attempt, where nothing else is said. */
export function claimOf(
  of: Try,
  said: Partial<Pick<ClaimDecision, 'worker' | 'expiresAt'>> = {},
): ClaimDecision {
  return {
    ...aboutTry({ attempt: 1, ...of }),
    kind: 'claim',
    worker: runnerAt(LOCAL),
    contending: 0b0100,
    pathMs: 1000,
    readySince: instant(1),
    ...said,
  };
}

/** Of a task that nobody has claimed yet, where nothing else is said. */
export function aboutTry({ task, run = runId(1), revision = 1, attempt = 0 }: Try): Required<Try> {
  return { run, task, revision, attempt };
}

export function finishOf(outcome: RunOutcome, run = runId(1)): FinishDecision {
  return { kind: 'finish', run, outcome, stuck: [] };
}

type ClaimDecision = Extract<TaskDecision, { kind: 'claim' }>;
