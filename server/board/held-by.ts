import type { WorkerId } from '../domain/ids.ts';
import { holderOf } from '../domain/task.ts';
import type { BoardTask } from './board-task.ts';
import type { Holder } from './task-status.ts';
import { isRunner } from '../scheduler/model/workers.ts';
import { workerName } from '../scheduler/predicate/explain.ts';
import { formatDuration, type Instant } from '../domain/time.ts';

/** As people are told of it. */
export function holderName({ worker }: Holder): string {
  return workerName(worker);
}

/** Who has it and for how long: `held by bob, 4 min 2 s left`. */
export function heldBy(worker: WorkerId, until: Instant | undefined, now: Instant): string {
  const left = until === undefined ? '' : `, ${formatDuration(Math.max(0, until - now))} left`;
  return `held by ${workerName(worker)}${left}`;
}

/** Who has a task now; nothing where nobody has, or a runner of ours. */
export function holderNow({ record }: Pick<BoardTask, 'record'>): Holder | undefined {
  const claim = record?.runStatus === 'active' ? holderOf(record.state) : undefined;
  if (claim === undefined || isRunner(claim.worker)) return undefined;
  const { worker, expiresAt: until } = claim;
  return until === undefined ? { worker } : { worker, until };
}
