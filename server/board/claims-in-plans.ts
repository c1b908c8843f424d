import type { TaskId, WorkerId } from '../domain/ids.ts';
import { withObstacles } from '../plans/obstacles.ts';
import type { PlanTask } from '../plans/plan.ts';
import type { RunModel } from '../scheduler/model/run-model.ts';
import { nameOf } from './board-mirror.ts';
import type { LoadedPlan } from './plan-set.ts';

interface Known {
  readonly plan: LoadedPlan;
  readonly claimed: string;
  readonly seen: LoadedPlan;
}

/** A task that its file says is claimed by a name can be started by no other than that worker. */
export class ClaimsInPlans {
  readonly #known = new Map<string, Known>();

  /** The plan with an obstacle at each of these tasks, until their claims are over. */
  seenIn(
    plan: LoadedPlan,
    {
      runs,
      nowMs,
      claimant,
    }: {
      readonly runs: readonly RunModel[];
      readonly nowMs: number;
      /** For whom its own claims are no obstacle. */
      readonly claimant: WorkerId | undefined;
    },
  ): LoadedPlan {
    const own = runs.filter(({ manifest }) => manifest.plan === plan.path);
    const claimed = plan.plan.tasks.filter(
      (task) => isElsewhere(task, { own, nowMs }) && !isClaimedBy(task, claimant),
    );
    if (claimed.length === 0) return plan;
    const known = this.#known.get(plan.path);
    const ids = claimed.map(({ id }) => id).join(' ');
    if (known?.plan === plan && known.claimed === ids) return known.seen;
    const found = new Map(claimed.map((task) => [task.id, sentenceOf(task)]));
    const seen = { ...plan, plan: withObstacles(plan.plan, found) };
    this.#known.set(plan.path, { plan, claimed: ids, seen });
    return seen;
  }
}

/** Whether its file says that this worker has claimed it. */
export function isClaimedBy({ claimInPlan }: PlanTask, worker: WorkerId | undefined): boolean {
  return worker !== undefined && claimInPlan !== undefined && claimInPlan.by === nameOf(worker);
}

function isElsewhere(
  { id, claimInPlan }: PlanTask,
  { own, nowMs }: { readonly own: readonly RunModel[]; readonly nowMs: number },
): boolean {
  if (claimInPlan === undefined || nowMs > (claimInPlan.endsAt ?? nowMs)) return false;
  return !own.some((run) => isHeldBy(run, { id, by: claimInPlan.by }));
}

/** What our own file says of our own worker. */
function isHeldBy(
  run: RunModel,
  { id, by }: { readonly id: TaskId; readonly by: string },
): boolean {
  const holder = run.find(id)?.claim?.holder;
  return holder !== undefined && nameOf(holder.worker) === by;
}

function sentenceOf({ claimInPlan }: PlanTask): string {
  const ends =
    claimInPlan?.endsAt === undefined ? '' : ', or the claim has become too old for its board';
  return `"${claimInPlan?.by}" has claimed it in its file. It can start once "claimed_by" is gone from there${ends}.`;
}
