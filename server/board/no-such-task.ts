import { didYouMean } from '../plans/closest.ts';
import { listOf } from '../scheduler/predicate/explain.ts';
import type { LoadedPlan } from './plan-set.ts';

/** That no plan has a task of this name, and which one may have been meant. */
export function noSuchTask(name: string, plans: readonly LoadedPlan[], where = ''): string {
  const ids = [...new Set(plans.flatMap(({ plan }) => plan.tasks.map(({ id }) => id)))];
  const advice = didYouMean(name, ids);
  const names = advice === '' && ids.length > 0 ? ` Tasks here: ${listOf(ids)}.` : advice;
  return `There is no task "${name}"${where}.${names}`;
}

export function noSuchPlan(path: string, plans: readonly LoadedPlan[]): string {
  const paths = plans.map((plan) => plan.path);
  return `There is no plan "${path}" in this folder.${didYouMean(path, paths)}`;
}
