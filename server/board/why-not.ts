import type { TaskId, WorkerId } from '../domain/ids.ts';
import type { RunModel } from '../scheduler/model/run-model.ts';
import type { Turn } from '../scheduler/predicate/turn.ts';
import { readBy, why } from '../scheduler/predicate/why.ts';
import type { LoadedPlan } from './plan-set.ts';
import { othersOf } from './run-choice.ts';

/** What is in the way of tasks of one plan. */
interface Ways {
  /** The run that has them now, with what would start. */
  readonly run: RunModel | undefined;
  readonly outlook: Turn | undefined;
  readonly plan: LoadedPlan | undefined;
  readonly reader: WorkerId | undefined;
}

/**
 * A sentence for each thing that is in the way of tasks: of their run, else of their plan, or that others
 * of it are being run; nothing where they run, or could be run now.
 */
export function whyNotEach(
  { run, outlook, plan, reader }: Ways,
  ids: readonly TaskId[],
): ReadonlyMap<TaskId, readonly string[]> {
  // A plan has one run at a time; one that is being stopped is in nobody's way.
  const others = run === undefined || run.isStopping ? [] : [othersOf(run.manifest.plan)];
  const tasks = plan?.plan.tasks ?? [];
  const done = new Set(tasks.flatMap(({ id, doneAs }) => (doneAs === undefined ? [] : id)));
  const whyNot = (id: TaskId): readonly string[] => {
    const entry = run?.find(id);
    if (outlook !== undefined && entry !== undefined)
      return why(outlook, entry, readBy(reader)).map(({ sentence }) => sentence);
    const obstacle = plan?.plan.obstacles.get(id);
    if (obstacle !== undefined) return [obstacle];
    return done.has(id) ? [] : others;
  };
  return new Map(ids.map((id) => [id, whyNot(id)]));
}
