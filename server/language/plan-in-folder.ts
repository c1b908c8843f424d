import type { AnalyzedPlan, PlanTask, TextRange } from '../plans/plan.ts';
import type { PlanSource } from '../plans/plan-source.ts';
import type { PlanTexts } from '../plans/read-plan.ts';

/** A plan among those that lie in one workspace folder. */
export interface PlanInFolder extends PlanSource {
  readonly texts: PlanTexts;
  readonly plan: AnalyzedPlan;
}

/** All plans that can mention each other's tasks. */
export interface PlansOfFolder {
  /** The name of the workspace folder; empty for a plan that lies in none. */
  readonly name: string;
  readonly plans: readonly PlanInFolder[];
}

/** A task in one of them. */
export interface TaskInFolder {
  readonly plan: PlanInFolder;
  readonly task: PlanTask;
}

/** The file that a place of a plan is in. */
export function fileOfPlace({ file }: TextRange, { path }: PlanSource): string {
  return file ?? path;
}

export type ResolveReference = (from: PlanInFolder, text: string) => TaskInFolder | undefined;

/** Finds the task that a plan means by `id` or `other-plan/id`; of many, without looking through all each time. */
export function referenceResolver(folder: PlansOfFolder): ResolveReference {
  const indexes = new Map<PlanInFolder, ReadonlyMap<string, PlanTask>>();
  const called = new Map<string, PlanInFolder | undefined>();
  return (from, text) => {
    const slash = text.lastIndexOf('/');
    const name = text.slice(0, Math.max(0, slash));
    if (slash >= 0 && !called.has(name)) called.set(name, planCalled(folder, name));
    const plan = slash < 0 ? from : called.get(name);
    if (plan === undefined) return undefined;
    const index = indexes.get(plan) ?? new Map(plan.plan.tasks.map((task) => [task.id, task]));
    indexes.set(plan, index);
    const task = index.get(text.slice(slash + 1));
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

/** What a plan is called by the others. */
export function nameOfPlan({ path, kind, plan }: PlanInFolder, folderName: string): string {
  if (plan.name !== undefined && plan.name !== '') return plan.name;
  const parts = path.split('/');
  const file = parts.pop() ?? '';
  const folder = parts.pop() ?? folderName;
  const short = file.replace(EXTENSION, '');
  if (kind === 'kanban' || (kind === 'interlock' && short === 'interlock'))
    return folder === '' ? short : folder;
  return short;
}

const EXTENSION = /(?:(?<=[^/])\.interlock)?\.[^./]+$/;

/** By its name, or by its path without the extension. What fits several is none of them. */
function planCalled({ plans, name }: PlansOfFolder, text: string): PlanInFolder | undefined {
  const byName = plans.filter((plan) => nameOfPlan(plan, name) === text);
  const found =
    byName.length > 0 ? byName : plans.filter(({ path }) => path.replace(EXTENSION, '') === text);
  return found.length === 1 ? found[0] : undefined;
}
