import { unreachable } from '../domain/assert.ts';
import type { ControlReply } from '../engine/board-calls.ts';
import { workerName } from '../scheduler/predicate/explain.ts';
import type { ControlRequest } from '../scheduler/requests/control.ts';

type Refusal = Extract<ControlReply, { kind: 'refused' }>;

/** Why what an operator asks for was not done, as a sentence that says what to do. */
export function controlRefusal(request: ControlRequest, { why }: Refusal): string {
  const what = 'task' in request ? `"${request.task}"` : 'That';
  switch (why.kind) {
    case 'unknown':
      if ('worker' in request) return `There is no ${workerName(request.worker)} any more.`;
      return request.kind === 'stop-run'
        ? `Run ${request.run} has ended, or there is none.`
        : `${what} is in no unfinished run.`;
    case 'ended':
      return `${what} has ended already.`;
    case 'held':
      return `Somebody is at work on ${what}. Cancel it first, or wait for its end.`;
    case 'nothing-to-do':
      return request.kind === 'answer-task'
        ? `${what} has asked nothing.`
        : `There is nothing to retry: ${what} has not ended, or waits for a task that has not.`;
    case 'run-ends':
      return why.because === 'stop-requested'
        ? `The run of ${what} is being stopped. Run it again when it has ended.`
        : `The run of ${what} ends at its first failure (--fail-fast). Run it again when it has ended.`;
    case 'queue-full':
      return `${why.queued} tasks are waiting already, and ${why.limit} may. Wait until some have started.`;
    case 'too-many-tasks':
      return `A board has at most ${why.limit} unfinished tasks.`;
    case 'too-many-drained':
      return `At most ${why.limit} workers are drained at a time. Undrain some first.`;
    case 'duplicate-task':
      return `Duplicate task id: there are two tasks "${why.task}".`;
    default:
      return unreachable(why);
  }
}
