import { type HostNames, hostProblems } from '../plans/host-problems.ts';
import type { LoadedPlan } from './plan-set.ts';

/** Which hosts the user has is no matter of the plan, and whoever reads it wants to know all the same. */
export function withHostWarnings(loaded: LoadedPlan, known: HostNames): LoadedPlan {
  const { plan } = loaded;
  const more = hostProblems(plan, known);
  return more.length === 0
    ? loaded
    : { ...loaded, plan: { ...plan, problems: [...plan.problems, ...more] } };
}
