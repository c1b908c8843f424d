import type { TaskId } from '../domain/ids.ts';
import type { RunModel } from '../scheduler/model/run-model.ts';
import type { Turn } from '../scheduler/predicate/turn.ts';
import { why } from '../scheduler/predicate/why.ts';

/** What is in the way of tasks of one plan. */
interface Ways {
  /** The run that has them now, with what would start. */
  readonly run: RunModel | undefined;
  readonly outlook: Turn | undefined;
  readonly obstacles: ReadonlyMap<TaskId, string> | undefined;
}

/** A sentence for each thing that is in the way of a task: of its run, else of its plan. */
export function whyNotIn({ run, outlook, obstacles }: Ways, task: TaskId): readonly string[] {
  const entry = run?.find(task);
  if (outlook !== undefined && entry !== undefined)
    return why(outlook, entry).map(({ sentence }) => sentence);
  const obstacle = obstacles?.get(task);
  return obstacle === undefined ? [] : [obstacle];
}
