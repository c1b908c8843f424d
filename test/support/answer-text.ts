import type { HazardRule } from '../../server/domain/run.ts';
import type { TaskState } from '../../server/domain/task.ts';
import { explain } from '../../server/scheduler/predicate/explain.ts';
import type { ClaimAnswer } from '../../server/scheduler/requests/claim.ts';
import type { ControlAnswer } from '../../server/scheduler/requests/control.ts';
import type { OwnAnswer } from '../../server/scheduler/requests/own.ts';
import type { HolderAnswer } from '../../server/scheduler/requests/settle.ts';

export function claimText(answer: ClaimAnswer): string {
  switch (answer.kind) {
    case 'claim':
      return `claimed ${answer.decision.task}`;
    case 'own':
      return `own until ${answer.expiresAt ?? 'released'}`;
    case 'held':
      return `held by ${answer.holder} until ${answer.until ?? 'released'}`;
    case 'blocked':
      return `blocked: ${answer.reasons.map(explain).join('; ')}`;
    case 'ended':
      return `ended ${answer.state}`;
    case 'unknown':
    case 'nothing-to-claim':
      return answer.kind;
    default:
      return answer satisfies never;
  }
}

export function holderText(answer: HolderAnswer): string {
  if (answer.kind !== 'accepted') return answer.kind;
  return answer.events
    .map((event) => (event.kind === 'taskMoved' ? event.event.kind : event.kind))
    .join(' ');
}

export function controlText(answer: ControlAnswer): string {
  if (answer.kind === 'refused') return `refused: ${answer.why.kind}`;
  return answer.events
    .map((event) => {
      if (event.kind !== 'taskMoved') return event.kind;
      const { kind } = event.event;
      return kind === 'stopAsked'
        ? `${kind} ${event.task} ${event.event.signal}`
        : `${kind} ${event.task}`;
    })
    .join(', ');
}

export function ownText(answer: OwnAnswer): string {
  if (answer.kind === 'refused') return `refused ${answer.what}`;
  if (answer.kind === 'lost') return `lost ${answer.claims.map(({ task }) => task).join(', ')}`;
  const [verb, met] =
    answer.kind === 'held' ? (['held', answer.by] as const) : (['owned', answer.warnings] as const);
  const rules = met.map(
    ({ owner, rule }): `${string} ${HazardRule | 'ask'}` => `${owner.worker} ${rule}`,
  );
  return [verb, ...rules].join(', ');
}

/** What it is now, without its times of start and end. */
export function stateText(state: TaskState): string {
  switch (state.kind) {
    case 'pending': {
      const why = state.releasedFor === undefined ? '' : ` ${state.releasedFor}`;
      return `pending${why}${state.notBefore === undefined ? '' : ` until ${state.notBefore}`}`;
    }
    case 'claimed':
    case 'running':
      return `${state.kind} by ${state.worker} until ${state.expiresAt ?? 'released'}`;
    case 'attention':
      return `attention ${state.why}${state.holder === undefined ? '' : ' held'}`;
    case 'failed': {
      const { failure } = state;
      return failure.kind === 'exit' ? `failed exit ${failure.code}` : `failed ${failure.kind}`;
    }
    case 'skipped':
      return `skipped because ${state.because}`;
    case 'completed':
    case 'cancelled':
      return state.kind;
    default:
      return state satisfies never;
  }
}

export function triesText({ tries }: TaskState): string {
  const { revision, attempts, failures, losses } = tries;
  return `revision ${revision}, ${attempts} attempts, ${failures} failures, ${losses} losses`;
}
