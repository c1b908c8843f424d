import type { TaskId } from '../domain/ids.ts';
import type { PlanTask } from '../plans/plan.ts';

/** The tasks of a run with the order that some of them want for others, for as long as this run goes. */
export function inOrder(tasks: readonly PlanTask[]): readonly PlanTask[] {
  const needed = new Map<TaskId, Set<TaskId>>();
  for (const { inOrder: pairs = [] } of tasks)
    for (const { task, dependsOn } of pairs)
      needed.set(task, (needed.get(task) ?? new Set()).add(dependsOn));
  if (needed.size === 0) return tasks;
  return tasks.map((task) => {
    const more = needed.get(task.id);
    if (more === undefined) return task;
    return { ...task, dependsOn: [...new Set([...task.dependsOn, ...more])] };
  });
}
