import type { PlanTask } from '../../plans/plan.ts';

/** The tasks that one may wait for: neither itself nor any that waits for it, which closed a cycle. */
export function tasksToWaitFor(
  own: string | undefined,
  tasks: readonly PlanTask[],
): readonly PlanTask[] {
  const waiting = new Set(own === undefined ? [] : [own]);
  const waitingFor = new Map<string, string[]>();
  for (const { id, dependsOn, after } of tasks)
    for (const before of [...dependsOn, ...after])
      waitingFor.set(before, [...(waitingFor.get(before) ?? []), id]);
  // A set visits what is added on the way, too.
  for (const id of waiting) for (const next of waitingFor.get(id) ?? []) waiting.add(next);
  return tasks.filter(({ id }) => !waiting.has(id));
}
