import type { Failure, LossCause } from '../domain/task.ts';
import { formatDuration } from '../domain/time.ts';
import { saidOf } from './task-status.ts';

/** How a command failed, as a clause. */
export function failureText(failure: Failure): string {
  switch (failure.kind) {
    case 'exit':
      return `exit code ${failure.code}${saidOf(failure)}`;
    case 'signal':
      return failure.signal;
    case 'timeout':
      return `timed out after ${formatDuration(failure.limitMs)}`;
    case 'not-started':
      return failure.message;
    default:
      return failure satisfies never;
  }
}

export function explainLoss(cause: LossCause): string {
  switch (cause) {
    case 'lease-expired':
      return 'its lease was not renewed';
    case 'host-lost':
      return 'its machine was lost';
    case 'not-started':
      return 'it could not be started';
    case 'killed':
      return 'it was killed';
    case 'agent-ended':
      return 'its agent ended without giving it back';
    default:
      return cause satisfies never;
  }
}
