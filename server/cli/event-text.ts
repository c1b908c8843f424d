import { explainLoss, failureText } from '../board/end-text.ts';
import { displayLine } from '../domain/display-text.ts';
import type { Ending, TaskEvent } from '../domain/task.ts';
import { formatDuration, type Instant } from '../domain/time.ts';
import type { BoardEvent } from '../scheduler/model/board-event.ts';
import { withoutWindow } from '../scheduler/model/workers.ts';
import { explainAttention, workerName } from '../scheduler/predicate/explain.ts';
import { authorsIn, pathsIn, tasksIn, workersIn } from '../board/observed-text.ts';

/** What happened, for people who read a ledger; nothing for what only keeps a claim alive. */
export function eventText(event: BoardEvent): EventText | undefined {
  if (event.kind === 'taskMoved') {
    const said = wordsForTask(event.event);
    return said === undefined ? undefined : text(event.event.at, event.task, said);
  }
  const task = 'task' in event ? event.task : '';
  const said = wordsFor(event);
  return said === undefined ? undefined : text(event.at, task, said);
}

export interface EventText {
  readonly at: Instant;
  readonly task: string;
  /** Control characters could come from a name or a message. */
  readonly words: string;
}

function text(at: Instant, task: string, said: string): EventText {
  return { at, task, words: displayLine(said) };
}

function wordsFor(event: Exclude<BoardEvent, { kind: 'taskMoved' }>): string | undefined {
  switch (event.kind) {
    case 'runSubmitted':
      return `asked for by ${event.manifest.requestedBy}: ${event.manifest.tasks.length} tasks of ${event.manifest.plan}`;
    case 'runRevised':
      return 'the plan was edited';
    case 'runStopAsked':
      return 'asked to stop';
    case 'runInterrupted':
      return 'interrupted: nobody carries it on';
    case 'runResumed':
      return 'goes on';
    case 'runFinished':
      return `ended: ${event.outcome}`;
    case 'taskPaused':
      return 'paused';
    case 'taskResumed':
      return 'resumed';
    case 'taskStarved':
      return `nobody has taken it for ${formatDuration(event.queuedMs)}`;
    case 'workerRequested':
      return `a worker is wanted${event.needs.length === 0 ? '' : ` with ${event.needs.join(', ')}`}`;
    case 'workerDrained':
      return `${workerName(event.worker)} is given nothing new from now on`;
    case 'workerUndrained':
      return `${workerName(event.worker)} is given tasks again`;
    case 'workerWoken':
      return `${event.worker} was told of it`;
    case 'releaseAsked':
      return `${withoutWindow(event.worker)} asks for ${event.path}`;
    case 'undeclaredWritten':
      return `${event.path} changed while it was running, which its "writes" leaves out (term ${event.term})`;
    case 'writtenByOneOf':
      return `${pathsIn(event.paths)} changed while ${tasksIn(event.by)} were running, and none of them declares that`;
    case 'writesDismissed':
      return event.isForAll
        ? `changes of ${pathsIn(event.paths)} are ignored from now on`
        : `a person says that ${pathsIn(event.paths)} changed by their hand while ${event.of.task} was running`;
    case 'inputChanged':
      return `${pathsIn(event.paths)}, which it reads, changed after it began, by ${authorsIn(event.by)} (term ${event.term})`;
    case 'heldFilesChanged':
      return `${pathsIn(event.paths)}, which it writes, changed while ${workersIn([event.worker])} ran a shell command (term ${event.term})`;
    case 'takenFilesChanged':
      return `${pathsIn(event.paths)}, which ${workersIn([event.holder])} has taken, changed while ${workersIn([event.worker])} ran a shell command`;
    case 'leftoverGone':
      return `nothing is left of its lost attempt (term ${event.term})`;
    default:
      return undefined;
  }
}

function wordsForTask(event: TaskEvent): string | undefined {
  switch (event.kind) {
    case 'taskClaimed':
      return `claimed by ${event.worker} (term ${event.term})`;
    case 'taskStarted': {
      const process = event.process === undefined ? '' : `, process ${event.process.pid}`;
      return `started (term ${event.term}${process})`;
    }
    case 'leaseRenewed':
      return undefined;
    case 'stopAsked':
      return `asked to end, ${event.why} (term ${event.term}, ${event.signal})`;
    case 'endAnnounced':
      return `says that it will end as ${ENDINGS[event.ending.kind]} (term ${event.term})`;
    case 'holderLeft':
      return `its agent ${event.left === 'ended' ? 'has ended' : 'has disconnected'} (term ${event.term})`;
    case 'taskCompleted':
      return `completed (term ${event.term})`;
    case 'taskFailed':
      return `failed: ${failureText(event.failure)}${again(event)} (term ${event.term})`;
    case 'taskLost':
      return `lost: ${explainLoss(event.cause)}${again(event)}${wants(event)} (term ${event.term})`;
    case 'taskReleased':
      return event.reason === 'released'
        ? `released${again(event)} (term ${event.term})`
        : `released, ${event.reason} (term ${event.term})`;
    case 'taskAsked':
      return `needs a person: it has a question (term ${event.term})`;
    case 'taskStuck':
      return `needs a person: ${explainAttention('stuck')} (term ${event.term})`;
    case 'taskProgressed':
      return `moves again (term ${event.term})`;
    case 'taskCancelled':
      return 'cancelled';
    case 'taskSkipped':
      return `skipped, because ${event.because} did not complete`;
    case 'taskRevived':
      return 'waits again';
    case 'taskFlagged':
      return `needs a person: ${explainAttention(event.why)}`;
    case 'taskRetried':
      return 'begins anew';
    default:
      return event satisfies never;
  }
}

const ENDINGS: Readonly<Record<Ending['kind'], string>> = {
  completed: 'completed',
  failed: 'failed',
  released: 'released, to be tried again later',
  'rate-limited': 'released, because of a rate limit',
  asked: 'a question to a person',
};

function again({ at, retryAt }: { readonly at: Instant; readonly retryAt?: Instant }): string {
  return retryAt === undefined ? '' : `, again in ${formatDuration(Math.max(0, retryAt - at))}`;
}

/** What is lost too often is not tried again by itself. */
function wants({ retryAt }: { readonly retryAt?: Instant }): string {
  return retryAt === undefined ? `, needs a person: ${explainAttention('poisoned')}` : '';
}
