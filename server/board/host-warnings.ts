import type { HostDefinition } from '../domain/host.ts';
import { hostProblems } from '../plans/host-problems.ts';
import type { LoadedPlan } from './plan-set.ts';

/** Which hosts the user has is no matter of the plan, and whoever reads it wants to know all the same. */
export function withHostWarnings(
  loaded: LoadedPlan,
  hosts: readonly Pick<HostDefinition, 'name'>[],
): LoadedPlan {
  const { plan } = loaded;
  const more = hostProblems(
    plan,
    hosts.map(({ name }) => name),
  );
  return more.length === 0
    ? loaded
    : { ...loaded, plan: { ...plan, problems: [...plan.problems, ...more] } };
}
