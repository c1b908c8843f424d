import {
  type PlanInFolder,
  type PlansOfFolder,
  referenceResolver,
  type TaskInFolder,
} from '../plan-in-folder.ts';

/**
 * The tasks of a folder that one of a plan may wait for, those of its own plan first: neither itself
 * nor any that waits for it, by way of other plans too, which closed a cycle.
 */
export function tasksToWaitFor(
  own: string | undefined,
  plan: PlanInFolder,
  folder: PlansOfFolder,
): readonly TaskInFolder[] {
  const waitingFor = waitersIn(plan, folder);
  const waiting = new Set(own === undefined ? [] : [keyOf(plan, own)]);
  // A set visits what is added on the way, too.
  for (const key of waiting) for (const next of waitingFor.get(key) ?? []) waiting.add(next);
  const others = folder.plans.filter(({ path }) => path !== plan.path);
  return [plan, ...others].flatMap((one) =>
    one.plan.tasks
      .filter(({ id }) => !waiting.has(keyOf(one, id)))
      .map((task) => ({ plan: one, task })),
  );
}

/** Who waits for each task. What another plan has waits for this one only if it names others. */
function waitersIn(
  plan: PlanInFolder,
  folder: PlansOfFolder,
): ReadonlyMap<string, readonly string[]> {
  const resolve = referenceResolver(folder);
  const waiters = new Map<string, string[]>();
  for (const one of folder.plans) {
    if (one.path !== plan.path && one.plan.references.size === 0) continue;
    for (const { id, dependsOn, after } of one.plan.tasks)
      for (const text of [...dependsOn, ...after])
        append(waiters, resolve(one, text), keyOf(one, id));
  }
  return waiters;
}

function append(
  waiters: Map<string, string[]>,
  before: TaskInFolder | undefined,
  waiter: string,
): void {
  if (before === undefined) return;
  const key = keyOf(before.plan, before.task.id);
  const known = waiters.get(key);
  if (known === undefined) waiters.set(key, [waiter]);
  else known.push(waiter);
}

function keyOf({ path }: PlanInFolder, id: string): string {
  return `${path}\n${id}`;
}
