import type { TaskId, WorkerId } from '../domain/ids.ts';
import type { OwnerName } from '../scheduler/model/ownership.ts';
import type { Reason } from '../scheduler/model/reason.ts';
import type { TaskEntry } from '../scheduler/model/run-model.ts';
import { isRunner, isSameWorker } from '../scheduler/model/workers.ts';
import { workerName } from '../scheduler/predicate/explain.ts';
import type { ControlRequest } from '../scheduler/requests/control.ts';
import type { OpenBoard } from './ports.ts';

/** The one thing to do about what is in the way of a task. */
export type BlockerDeed =
  | { readonly kind: 'trust' | 'open-task' | 'open-limits' | 'run-again' }
  | { readonly kind: 'claim' | 'wake' | 'open-terminal' }
  /** Another task, as the plan calls it. */
  | { readonly kind: 'show-task' | 'run-task'; readonly task: TaskId }
  /** A file, from the top of the working tree, that this or another window has not saved. */
  | { readonly kind: 'open-file'; readonly path: string; readonly worker: WorkerId }
  /** The person who asks has the file, and can let the task go first. */
  | {
      readonly kind: 'let-start';
      readonly owner: Extract<OwnerName, { kind: 'person' }>;
      readonly worker: WorkerId;
      readonly path: string;
    }
  | {
      readonly kind: 'ask-release';
      readonly owner: OwnerName;
      readonly worker: WorkerId;
      readonly path: string;
    }
  | { readonly kind: 'control'; readonly title: string; readonly request: ControlRequest };

/** `reader`: the person who asks. */
export function deedFor(
  reason: Reason,
  { run, id: task }: TaskEntry,
  reader?: WorkerId,
): BlockerDeed | undefined {
  const which = { run: run.manifest.id, task };
  switch (reason.kind) {
    case 'untrusted':
      return { kind: 'trust' };
    case 'paused':
      return deedForPause(reason, which);
    case 'attention':
      return reason.why === 'asked'
        ? control('It Is Answered', { kind: 'answer-task', ...which })
        : control('Retry', { kind: 'retry-task', ...which });
    case 'backoff':
      return control('Try Now', { kind: 'retry-task', ...which });
    case 'dependencies': {
      const [interrupted] = reason.interrupted ?? [];
      const [first] = reason.waitsFor;
      if (interrupted !== undefined) return { kind: 'run-task', task: interrupted };
      return first === undefined ? undefined : { kind: 'show-task', task: first };
    }
    case 'hazard':
      return deedForHazard(reason, reader);
    case 'resources': {
      const [holder] = reason.holders;
      return holder === undefined ? { kind: 'open-limits' } : { kind: 'show-task', task: holder };
    }
    case 'parallel':
      return { kind: 'open-limits' };
    case 'unsatisfiable':
      return reason.because === 'too-much' || reason.because === 'no-such-limit'
        ? { kind: 'open-limits' }
        : { kind: 'open-task' };
    case 'capability':
    case 'host':
    case 'cooldown':
      return { kind: 'open-task' };
    case 'outranked':
      return reason.by.kind === 'task' || reason.by.kind === 'waiter'
        ? { kind: 'show-task', task: reason.by.task }
        : { kind: 'open-task' };
    default:
      return reason satisfies never;
  }
}

function deedForPause(
  reason: Extract<Reason, { kind: 'paused' }>,
  which: Pick<Extract<ControlRequest, { task: TaskId }>, 'run' | 'task'>,
): BlockerDeed | undefined {
  switch (reason.because) {
    case 'board':
      return control('Resume Everything', { kind: 'resume-board' });
    case 'task':
      return control('Resume', { kind: 'resume-task', ...which });
    case 'drained': {
      const { worker } = reason;
      return control(`Undrain ${workerName(worker)}`, { kind: 'undrain-worker', worker });
    }
    case 'interrupted':
      return { kind: 'run-again' };
    case 'shutting-down':
    case 'stop-requested':
    case 'failure':
      return undefined;
    default:
      return reason satisfies never;
  }
}

/** A command hears nobody, and what is left of a lost attempt is proved gone by itself. */
function deedForHazard(
  { owner, worker, example }: Extract<Reason, { kind: 'hazard' }>,
  reader: WorkerId | undefined,
): BlockerDeed | undefined {
  if (owner.kind === 'leftover') return undefined;
  if (owner.kind === 'person' && isSameWorker(reader, worker))
    return { kind: 'let-start', owner, worker, path: example ?? '' };
  if (owner.kind === 'person' && owner.isUnsaved && !owner.isSaved && example !== undefined)
    return { kind: 'open-file', path: example, worker };
  if (owner.kind === 'task' && (isRunner(worker) || example === undefined))
    return { kind: 'show-task', task: owner.task };
  return example === undefined ? undefined : { kind: 'ask-release', owner, worker, path: example };
}

function control(title: string, request: ControlRequest): BlockerDeed {
  return { kind: 'control', title, request };
}

interface Doing {
  readonly open: OpenBoard;
  /** Who asks. */
  readonly worker: WorkerId;
  readonly operation: string;
}

/** Does what the server can do about it. Answers with what there is to say about that. */
export async function doDeed(deed: BlockerDeed, doing: Doing): Promise<string | undefined> {
  const { open, worker, operation } = doing;
  const { calls } = open.keeper;
  switch (deed.kind) {
    case 'control': {
      const reply = await calls.control(deed.request, operation);
      return reply.kind === 'accepted' ? undefined : 'It is not in the way any more.';
    }
    case 'wake':
      await calls.control({ kind: 'rebuild' }, operation);
      return 'Agents that are idle hear of it again.';
    // Windows are told once a minute at most, until that is forgotten.
    case 'open-terminal':
      await calls.control({ kind: 'rebuild' }, operation);
      return undefined;
    case 'open-file':
      return `Only ${workerName(deed.worker)} can save ${deed.path}.`;
    case 'let-start': {
      const { owner, path } = deed;
      if (!owner.isUnsaved) {
        await calls.free(owner.id);
        return undefined;
      }
      // The window that has it open lets go of it.
      const reply = await calls.askRelease({ owner, worker, path }, operation);
      return reply.kind === 'accepted'
        ? `Your other window asks whether to let go of ${path}.`
        : 'It is not in the way any more.';
    }
    case 'ask-release': {
      const { owner, path } = deed;
      const reply = await calls.askRelease({ owner, worker, path }, operation);
      const who = workerName(deed.worker);
      return reply.kind === 'accepted'
        ? `${who} is asked for ${path}, and hears of it with their next word.`
        : `${who} has let go of ${path} already, or hears nobody.`;
    }
    default:
      return undefined;
  }
}
