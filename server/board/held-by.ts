import type { WorkerId } from '../domain/ids.ts';
import { holderOf } from '../domain/task.ts';
import type { BoardTask } from './board-task.ts';
import type { Holder } from './task-status.ts';
import { isRunner, terminalOf, withoutWindow } from '../scheduler/model/workers.ts';
import { formatDuration, type Instant } from '../domain/time.ts';

/** `bob` of `person/bob`: nobody else is confused with a runner of ours. */
export function shortName(worker: WorkerId): string {
  const terminal = terminalOf(worker);
  if (terminal !== undefined) return `a terminal of ${terminal}`;
  return withoutWindow(worker).replace(/^(?:agent|person)\//, '');
}

/** Who has it and for how long: `held by bob, 4 min 2 s left`. */
export function heldBy(worker: WorkerId, until: Instant | undefined, now: Instant): string {
  const left = until === undefined ? '' : `, ${formatDuration(Math.max(0, until - now))} left`;
  return `held by ${shortName(worker)}${left}`;
}

/** Who has a task now; nothing where nobody has, or a runner of ours. */
export function holderNow({ record }: Pick<BoardTask, 'record'>): Holder | undefined {
  const claim = record?.runStatus === 'active' ? holderOf(record.state) : undefined;
  if (claim === undefined || isRunner(claim.worker)) return undefined;
  const { worker, expiresAt: until } = claim;
  return until === undefined ? { worker } : { worker, until };
}
