import { displayText } from '../domain/display-text.ts';
import type { RunManifest } from '../domain/run.ts';
import type { TaskState } from '../domain/task.ts';
import { formatDuration, type Instant } from '../domain/time.ts';
import { explainLoss } from '../board/end-text.ts';
import { statusOf } from '../board/task-status.ts';
import { isRunner } from '../scheduler/model/workers.ts';
import { paintState } from './paint.ts';
import type { Move } from './run-watch.ts';
import type { Screen } from './terminal.ts';

/** What people are told of a task while it runs; nothing where it is no news to them. */
export function moveText(move: Move, screen?: Screen): string | undefined {
  const said = wordsFor(move);
  if (said === undefined) return undefined;
  const [kind, words, detail] = said;
  const text = paintState(screen, kind, words);
  return detail === '' ? text : `${text} (${displayText(detail)})`;
}

type Words = readonly [kind: Shown, words: string, detail: string];
type Shown = Exclude<TaskState['kind'], 'pending'>;

function wordsFor({ run, before, state, event, task }: Move): Words | undefined {
  if (state.kind === before.kind && state.kind !== 'pending') return undefined;
  switch (state.kind) {
    case 'claimed':
      // Of what we start ourselves it is told when it has started.
      return isRunner(state.worker) ? undefined : ['claimed', 'claimed', `by ${state.worker}`];
    case 'running': {
      if (before.kind === 'attention') return ['running', 'goes on', ''];
      const who = isRunner(state.worker) ? '' : `by ${state.worker}`;
      const where = detailOf(state, run.manifest);
      return ['running', 'running', [who, where].filter((part) => part !== '').join(', ')];
    }
    case 'pending':
      return wordsForReturn({ run, before, state, event, task });
    case 'attention': {
      const remedy = event.kind === 'taskAsked' ? `answer ${task}` : `retry ${task}`;
      return ['attention', 'needs you', `${detailOf(state, run.manifest)}: interlock ${remedy}`];
    }
    default:
      return [state.kind, state.kind, detailOf(state, run.manifest)];
  }
}

/** It waits again. */
function wordsForReturn({ run, before, state, event }: Move): Words | undefined {
  switch (event.kind) {
    case 'taskFailed': {
      const { failure, at: finishedAt } = event;
      const startedAt = before.kind === 'running' ? before.startedAt : finishedAt;
      const { tries } = state;
      const how = detailOf({ kind: 'failed', failure, tries, startedAt, finishedAt }, run.manifest);
      return ['failed', 'failed', how + again(event)];
    }
    case 'taskLost':
      return ['failed', 'lost', explainLoss(event.cause) + again(event)];
    case 'taskReleased':
      return ['cancelled', 'released', ''];
    case 'taskRetried':
    case 'taskRevived':
      return ['running', 'begins anew', ''];
    default:
      return undefined;
  }
}

function again({ at, retryAt }: { readonly at: Instant; readonly retryAt?: Instant }): string {
  return retryAt === undefined ? '' : `, tried again in ${formatDuration(retryAt - at)}`;
}

/** What the tree says of it, too. */
function detailOf(state: TaskState, { id: run, plan, tasks }: RunManifest): string {
  const [first] = tasks;
  if (first === undefined) return '';
  const record = { run, plan, task: first.id, state, runStatus: 'active' } as const;
  return statusOf(record, undefined, undefined).detail;
}
