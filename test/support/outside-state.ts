import type { TaskId } from '../../server/domain/ids.ts';
import { isFinal } from '../../server/domain/task.ts';
import type { BoardModel } from '../../server/scheduler/model/board-model.ts';
import type { RunModel } from '../../server/scheduler/model/run-model.ts';

/**
 * How far whatever a task waits for is, in its run or in another: worked out from the states of tasks,
 * and remembered only of runs that have ended.
 */
export function standingFor(
  { runs }: BoardModel,
  run: RunModel,
  id: TaskId,
): 'open' | 'completed' | 'ended' | 'missing' {
  const outside = run.outside.get(id);
  const of = outside === undefined ? run : runs.get(outside.task.run);
  if (outside !== undefined && of === undefined) return outside.standing;
  const state = of?.find(outside?.task.task ?? id)?.state;
  if (state === undefined) return outside === undefined ? 'missing' : 'ended';
  if (!isFinal(state)) return 'open';
  return state.kind === 'completed' ? 'completed' : 'ended';
}
