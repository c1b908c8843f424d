import type { TaskId } from '../domain/ids.ts';
import { overlap } from '../domain/overlap.ts';
import { isFinal, isHeld } from '../domain/task.ts';
import type { ActiveRun, PlannedTask, Snapshot } from './snapshot.ts';

/** One thing that keeps a task from starting, with the names and numbers that would clear it. */
export type Reason =
  | { readonly kind: 'untrusted' }
  | { readonly kind: 'paused'; readonly because: 'shutting-down' | 'stop-requested' | 'failure' }
  | { readonly kind: 'dependencies'; readonly waitsFor: readonly TaskId[] }
  | { readonly kind: 'hazard'; readonly holder: TaskId; readonly example?: string }
  | { readonly kind: 'parallel'; readonly limit: number };

export interface HeldTask {
  readonly id: TaskId;
  readonly task: PlannedTask;
}

/** Every task of the board that somebody holds now. */
export function heldTasks(snapshot: Snapshot): readonly HeldTask[] {
  return snapshot.runs.flatMap((run) =>
    [...run.plan.tasks].flatMap(([id, task]) => {
      const state = run.states.get(id);
      return state !== undefined && isHeld(state) ? [{ id, task }] : [];
    }),
  );
}

/**
 * The one predicate: may this pending task start now? No reason means yes. The scheduler, the tree
 * and the command line all ask here, so what they say cannot differ from what happens.
 *
 * `held` is passed in because a turn that claims several tasks counts the earlier ones too.
 */
export function reasonsAgainst(
  { snapshot, run, held }: { snapshot: Snapshot; run: ActiveRun; held: readonly HeldTask[] },
  id: TaskId,
): readonly Reason[] {
  const task = run.plan.tasks.get(id);
  if (task === undefined) return [];
  const board = reasonAgainstRun(snapshot, run);
  if (board !== undefined) return [board];
  const waitsFor = unfinishedBefore(run, task);
  if (waitsFor.length > 0) return [{ kind: 'dependencies', waitsFor }];
  const reasons: Reason[] = collisions({ snapshot, held }, task);
  const limit = run.plan.manifest.policy.parallel;
  if (held.length >= limit) reasons.push({ kind: 'parallel', limit });
  return reasons;
}

/** What holds back every task of a run alike. An operator's wish outranks the scheduler's. */
function reasonAgainstRun(snapshot: Snapshot, run: ActiveRun): Reason | undefined {
  if (snapshot.permission === 'untrusted') return { kind: 'untrusted' };
  if (snapshot.permission === 'shutting-down') return { kind: 'paused', because: 'shutting-down' };
  const { id, policy } = run.plan.manifest;
  if (snapshot.stopping.has(id)) return { kind: 'paused', because: 'stop-requested' };
  if (policy.failFast && [...run.states.values()].some(({ kind }) => kind === 'failed'))
    return { kind: 'paused', because: 'failure' };
  return undefined;
}

function unfinishedBefore(run: ActiveRun, { definition }: PlannedTask): readonly TaskId[] {
  const { dependsOn, after } = definition;
  const incomplete = dependsOn.filter((id) => run.states.get(id)?.kind !== 'completed');
  const unfinished = after.filter((id) => {
    const state = run.states.get(id);
    // A task that is not part of this run has nothing left to wait for.
    return state !== undefined && !isFinal(state);
  });
  return [...new Set([...incomplete, ...unfinished])];
}

function collisions(
  { snapshot, held }: { snapshot: Snapshot; held: readonly HeldTask[] },
  task: PlannedTask,
): Reason[] {
  return held.flatMap((other): Reason[] => {
    const found = overlap(task.writes, other.task.writes, snapshot.rules);
    if (found.kind === 'disjoint') return [];
    const example = found.kind === 'overlaps' ? { example: found.example } : {};
    return [{ kind: 'hazard', holder: other.id, ...example }];
  });
}
