import type { WorkerId } from '../domain/ids.ts';
import { formatDuration, type Instant } from '../domain/time.ts';
import { terminalOf } from '../scheduler/model/workers.ts';

/** `bob` of `person/bob`: nobody else is confused with a runner of ours. */
function shortName(worker: WorkerId): string {
  const terminal = terminalOf(worker);
  if (terminal !== undefined) return `a terminal of ${terminal}`;
  return worker.replace(/^(?:agent|person)\//, '');
}

/** Who has it and for how long: `held by bob, 4 min 2 s left`. */
export function heldBy(worker: WorkerId, until: Instant | undefined, now: Instant): string {
  const left = until === undefined ? '' : `, ${formatDuration(Math.max(0, until - now))} left`;
  return `held by ${shortName(worker)}${left}`;
}
