import type { Decision, TaskDecision } from '../../server/scheduler/decision.ts';
import { LOCAL, placeOf } from '../../server/scheduler/model/workers.ts';

/**
 * Decisions in their order, on one line; ids of runs only where there is more than one. Cycles are
 * left out: what they are about is what they decide, and `cycle-report.test.ts`.
 */
export function decisionsText(
  decisions: readonly Decision[],
  { runCount }: { readonly runCount: number },
): string {
  return decisions
    .filter(({ kind }) => kind !== 'cycle')
    .map((decision) =>
      decisionText(decision, 'run' in decision && runCount > 1 ? `${decision.run}/` : ''),
    )
    .join(', ');
}

function decisionText(decision: Decision, run: string): string {
  switch (decision.kind) {
    case 'finish':
      return `finish ${run}${decision.outcome}`;
    case 'change-load':
      return `change-load ${decision.mode}`;
    case 'cycle':
      return 'cycle';
    default:
      return textOfTask(decision, `${run}${decision.task}`);
  }
}

function textOfTask(decision: TaskDecision, task: string): string {
  switch (decision.kind) {
    case 'claim': {
      const place = placeOf(decision.worker);
      return place === LOCAL ? `claim ${task}` : `claim ${task} on ${place}`;
    }
    case 'skip':
      return `skip ${task} because ${decision.because}`;
    case 'stop':
      return decision.signal === 'kill' ? `kill ${task}` : `stop ${task}`;
    case 'wake':
      return `wake ${decision.worker} for ${task}`;
    case 'count-starvation':
      return `count-starvation ${task} ${decision.starvation.cycles}`;
    case 'request-worker':
      return [
        `request-worker ${task}`,
        ...(decision.agent === undefined ? [] : [decision.agent]),
      ].join(' ');
    case 'revive':
    case 'cancel':
    case 'expire':
    case 'report-starved':
    case 'flag-starved':
      return `${decision.kind} ${task}`;
    default:
      return decision satisfies never;
  }
}
