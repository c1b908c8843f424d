import type { RunId, TaskId, WorkerId } from '../domain/ids.ts';
import { isFinal } from '../domain/task.ts';
import type { Instant } from '../domain/time.ts';
import type { LedgerEntry } from '../engine/store-port.ts';
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

/** A task of an unfinished run that its file says somebody else has claimed. */
export interface ForeignClaim {
  readonly run: RunId;
  readonly task: TaskId;
  /** Who has it, and when it can start. */
  readonly message: string;
}

/**
 * The tasks that a worker may not take although they are in an unfinished run and free there, because their
 * files say that others have claimed them since.
 */
export function claimsOfOthers(
  plans: readonly LoadedPlan[],
  {
    runs,
    worker,
    nowMs,
    endOf,
  }: {
    readonly runs: readonly RunModel[];
    readonly worker: WorkerId;
    readonly nowMs: number;
    /** When a worker of that name last had the task and lost it or gave it back, in the time of day. */
    readonly endOf: (run: RunId, task: TaskId, name: string) => number | undefined;
  },
): readonly ForeignClaim[] {
  return plans.flatMap(({ path, plan }) => {
    const own = runs.filter(({ manifest }) => manifest.plan === path);
    if (own.length === 0) return [];
    return plan.tasks.flatMap((planned) => {
      const { id, claimInPlan: claim } = planned;
      if (claim === undefined || isClaimedBy(planned, worker)) return [];
      if (!isElsewhere(planned, { own, nowMs })) return [];
      return own.flatMap((run) => {
        const entry = run.find(id);
        if (entry === undefined || entry.claim !== undefined || isFinal(entry.state)) return [];
        // What we have written into the file goes from there a moment after the claim has ended.
        const endedAt = endOf(run.manifest.id, id, claim.by);
        const isOurs =
          endedAt !== undefined && claim.since !== undefined && claim.since <= endedAt + SLACK_MS;
        return isOurs
          ? []
          : [
              {
                run: run.manifest.id,
                task: id,
                message: `"${id}" cannot start. ${sentenceOf(planned)}`,
              },
            ];
      });
    });
  });
}

/** The time of day is told from two clocks. */
const SLACK_MS = 1000;

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

/** When the last holder of a task lost it or gave it back, if it has that name; in the time of the ledger. */
export function endOfClaim(
  entries: readonly LedgerEntry[],
  { task, name }: { readonly task: TaskId; readonly name: string },
): Instant | undefined {
  let holder: WorkerId | undefined;
  let endedAt: Instant | undefined;
  for (const { event } of entries) {
    if (event.kind !== 'taskMoved' || event.task !== task) continue;
    if (event.event.kind === 'taskClaimed') holder = event.event.worker;
    endedAt = event.event.at;
  }
  return holder !== undefined && nameOf(holder) === name ? endedAt : undefined;
}
