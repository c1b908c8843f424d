import type { RunId, TaskId } from '../domain/ids.ts';
import type { RunManifest, RunPolicy } from '../domain/run.ts';
import type { TaskDefinition } from '../domain/task.ts';
import type { Instant } from '../domain/time.ts';

export interface RunRequest {
  readonly root: string;
  readonly plan: string;
  readonly planHash: string;
  readonly selection: readonly TaskId[];
  readonly requestedBy: string;
  readonly policy: RunPolicy;
  readonly tasks: readonly TaskDefinition[];
  /** Start a new run even where an unfinished one of the same plan and selection could go on. */
  readonly isNew: boolean;
}

type Place =
  | { readonly kind: 'join'; readonly run: RunId }
  | { readonly kind: 'busy' }
  | { readonly kind: 'new'; readonly supersedes: readonly RunId[] };

/**
 * Where a request goes among the unfinished runs. A plan has one run at a time, because its tasks
 * would otherwise be started once for each run. An active run is joined when it has all that was
 * asked for; an interrupted one when it is the same run, and otherwise a new one takes its place.
 */
export function placeRequest(
  request: RunRequest,
  unfinished: readonly RunManifest[],
  active: ReadonlySet<RunId>,
): Place {
  const ofPlan = unfinished.filter(
    ({ root, plan }) => root === request.root && plan === request.plan,
  );
  const running = ofPlan.find(({ id }) => active.has(id));
  if (running !== undefined) {
    const isJoined = !request.isNew && coversTasks(running, request.tasks);
    return isJoined ? { kind: 'join', run: running.id } : { kind: 'busy' };
  }
  const same = ofPlan.find((manifest) => !request.isNew && isSameRun(manifest, request));
  return same === undefined
    ? { kind: 'new', supersedes: ofPlan.map(({ id }) => id) }
    : { kind: 'join', run: same.id };
}

export function manifestOf(request: RunRequest, id: RunId, requestedAt: Instant): RunManifest {
  const { root, plan, planHash, selection, requestedBy, policy, tasks } = request;
  return { id, root, plan, planHash, selection, requestedBy, requestedAt, policy, tasks };
}

function coversTasks(manifest: RunManifest, tasks: readonly TaskDefinition[]): boolean {
  const running = new Set(manifest.tasks.map((task) => JSON.stringify(task)));
  return tasks.every((task) => running.has(JSON.stringify(task)));
}

/** The same tasks were asked for, and none has been edited since. */
function isSameRun(manifest: RunManifest, request: RunRequest): boolean {
  return (
    manifest.planHash === request.planHash && manifest.selection.join() === request.selection.join()
  );
}
