import { unreachable } from '../domain/assert.ts';
import type { TaskState } from '../domain/task.ts';
import type { Instant } from '../domain/time.ts';

/** When the newest try of a task began and ended, as far as it did. */
export function spanOf(state: TaskState): {
  readonly startedAt?: Instant;
  readonly finishedAt?: Instant;
} {
  switch (state.kind) {
    case 'claimed':
      return { startedAt: state.claimedAt };
    case 'running':
      return { startedAt: state.startedAt };
    case 'attention':
      return state.holder === undefined ? {} : { startedAt: state.holder.startedAt };
    case 'completed':
    case 'failed':
      return { startedAt: state.startedAt, finishedAt: state.finishedAt };
    case 'cancelled':
    case 'skipped':
      return { finishedAt: state.finishedAt };
    case 'pending':
      return {};
    default:
      return unreachable(state);
  }
}
