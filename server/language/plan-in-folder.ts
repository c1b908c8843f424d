import type { AnalyzedPlan, PlanTask } from '../plans/plan.ts';
import { namedPlan } from '../plans/plan-names.ts';
import type { PlanSource } from '../plans/plan-source.ts';
import type { PlanTexts } from '../plans/read-plan.ts';

/** A plan among those that lie in one workspace folder. */
export interface PlanInFolder extends PlanSource {
  readonly texts: PlanTexts;
  readonly plan: AnalyzedPlan;
}

/** All plans that can mention each other's tasks. */
export interface PlansOfFolder {
  readonly plans: readonly PlanInFolder[];
}

/** A task in one of them. */
export interface TaskInFolder {
  readonly plan: PlanInFolder;
  readonly task: PlanTask;
}

export type ResolveReference = (from: PlanInFolder, text: string) => TaskInFolder | undefined;

/** Finds the task that a plan means by `id` or `other-plan/id`; of many, without looking through all each time. */
export function referenceResolver({ plans }: PlansOfFolder): ResolveReference {
  const byPath = new Map(plans.map((plan) => [plan.path, plan]));
  const indexes = new Map<PlanInFolder, ReadonlyMap<string, PlanTask>>();
  return (from, text) => {
    const isOwn = !text.includes('/');
    const meant = isOwn ? undefined : from.plan.references.get(text);
    const plan = isOwn ? from : byPath.get(meant?.plan ?? '');
    if (plan === undefined) return undefined;
    const index = indexes.get(plan) ?? new Map(plan.plan.tasks.map((task) => [task.id, task]));
    indexes.set(plan, index);
    const task = index.get(meant?.task ?? text);
    return task && { plan, task };
  };
}

/** The task that a plan means by one reference. */
export function resolveReference(
  folder: PlansOfFolder,
  from: PlanInFolder,
  text: string,
): TaskInFolder | undefined {
  return referenceResolver(folder)(from, text);
}

/** What another plan can call it, and mean no other. */
export function nameOfPlan(plan: PlanInFolder, { plans }: PlansOfFolder): string {
  const { name: written, knownAs } = plan.plan;
  const isClear = plans.every((one) => one.path === plan.path || one.plan.knownAs !== knownAs);
  return isClear ? knownAs : namedPlan(plan, { written, folder: '' }).shortPath;
}
