import type { PartResult, RunRequest } from '../engine/run-request.ts';
import type { RunModel } from '../scheduler/model/run-model.ts';
import { asBegun } from './begun-run.ts';
import type { BoardWorld, OpenBoard } from './ports.ts';
import { withRealPatterns } from './real-patterns.ts';
import {
  type AcceptedRun,
  type ChosenPart,
  groupsOf,
  type RefusedPlan,
  refusedPlan,
  type RunOptions,
} from './run-choice.ts';

interface Submission {
  readonly open: OpenBoard;
  readonly world: BoardWorld;
  readonly root: string;
  /** Where `root` lies in its working tree; empty where it is all of it. */
  readonly folder: string;
  /** Runs of this folder that there are. */
  readonly begun: readonly RunModel[];
}

interface Submitted {
  readonly accepted: readonly AcceptedRun[];
  readonly refusedPlans: readonly RefusedPlan[];
}

/** Asks whoever decides to run what was chosen of each plan. */
export async function submitParts(
  parts: readonly ChosenPart[],
  options: RunOptions,
  at: Submission,
): Promise<Submitted> {
  const accepted: AcceptedRun[] = [];
  const refusedPlans: RefusedPlan[] = [];
  const real: ChosenPart[] = [];
  for (const part of parts) real.push(await withRealPatterns(part, at));
  for (const asked of groupsOf(real)) {
    const group = asked.map((part) => asBegun(part, at.begun));
    const results = await submitGroup(group, options, at);
    for (const [index, part] of group.entries()) {
      const result = results[index];
      if (result === undefined || result.kind === 'unneeded') continue;
      if (result.kind === 'started' || result.kind === 'joined')
        accepted.push({
          id: result.run,
          plan: part.plan.path,
          isJoined: result.kind === 'joined',
          tasks: part.tasks.map(({ id }) => id),
        });
      else refusedPlans.push(refusedPlan(result, part.plan.path));
    }
  }
  return { accepted, refusedPlans };
}

/** Runs of which tasks wait for each other's begin together or not at all. */
async function submitGroup(
  group: readonly ChosenPart[],
  options: RunOptions,
  at: Submission,
): Promise<readonly PartResult[]> {
  const { calls } = at.open.keeper;
  const requests = group.map((part) => requestOf(part, options, at));
  const [first, ...others] = requests;
  if (first === undefined) return [];
  if (others.length > 0) return await calls.submitTogether(requests);
  return [await calls.submit(first)];
}

function requestOf(
  { plan, tasks, selection, refersTo, isNeeded }: ChosenPart,
  options: RunOptions,
  { world, root, folder, open: { clock } }: Submission,
): RunRequest {
  const { parallel, limits, hazards } = plan.plan;
  return {
    id: world.ids.runId(clock.now()),
    root,
    ...(folder !== '' && { folder }),
    plan: plan.path,
    planHash: world.hash(JSON.stringify(refersTo.length > 0 ? [tasks, refersTo] : tasks)),
    selection,
    requestedBy: options.requestedBy,
    policy: {
      parallel: options.parallel ?? parallel ?? world.defaultParallel,
      failFast: options.isFailFast ?? false,
      limits,
      hazards,
    },
    tasks,
    isNew: options.isNew ?? false,
    ...(refersTo.length > 0 && { refersTo }),
    ...(isNeeded && { isNeeded }),
  };
}
