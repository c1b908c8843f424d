import type { RunId, TaskId } from '../domain/ids.ts';
import type { RunOutcome } from '../domain/run.ts';
import { isFinal, type TaskState } from '../domain/task.ts';
import { heldTasks, type HeldTask, reasonsAgainst } from './may-start.ts';
import type { ActiveRun, Snapshot } from './snapshot.ts';

/** What the scheduler chose. The store writes it to the ledger before anybody acts on it. */
export type Decision =
  | { readonly kind: 'claim'; readonly run: RunId; readonly task: TaskId }
  | {
      readonly kind: 'skip';
      readonly run: RunId;
      readonly task: TaskId;
      readonly because: TaskId;
    }
  | { readonly kind: 'cancel'; readonly run: RunId; readonly task: TaskId }
  | { readonly kind: 'finish'; readonly run: RunId; readonly outcome: RunOutcome };

/** A function of its argument and nothing else: no clock, no chance, no memory. */
export function decide(snapshot: Snapshot): readonly Decision[] {
  return [
    ...snapshot.runs.flatMap(skipBehindFailures),
    ...snapshot.runs.flatMap((run) => cancelUnwanted(snapshot, run)),
    ...claimReady(snapshot),
    ...snapshot.runs.flatMap(finishRun),
  ];
}

const FAILED_KINDS: ReadonlySet<TaskState['kind'] | undefined> = new Set([
  'failed',
  'cancelled',
  'skipped',
] as const);

/** A task whose dependency did not complete never starts. The next turn carries that further down. */
function skipBehindFailures(run: ActiveRun): readonly Decision[] {
  return pendingTasks(run).flatMap((task): readonly Decision[] => {
    const dependsOn = run.plan.tasks.get(task)?.definition.dependsOn ?? [];
    const because = dependsOn.find((id) => FAILED_KINDS.has(run.states.get(id)?.kind));
    return because === undefined
      ? []
      : [{ kind: 'skip', run: run.plan.manifest.id, task, because }];
  });
}

/** Pending tasks of a run that was asked to stop, or that ends at its first failure. */
function cancelUnwanted(snapshot: Snapshot, run: ActiveRun): readonly Decision[] {
  const { id, policy } = run.plan.manifest;
  const hasFailed = [...run.states.values()].some(({ kind }) => kind === 'failed');
  if (!snapshot.stopping.has(id) && !(policy.failFast && hasFailed)) return [];
  return pendingTasks(run).map((task) => ({ kind: 'cancel', run: id, task }));
}

function claimReady(snapshot: Snapshot): readonly Decision[] {
  const held: HeldTask[] = [...heldTasks(snapshot)];
  const claims: Decision[] = [];
  for (const run of snapshot.runs)
    for (const task of pendingTasks(run)) {
      // A full board starts nothing, so there is no need to ask for each task.
      if (held.length >= run.plan.manifest.policy.parallel) break;
      if (reasonsAgainst({ snapshot, run, held }, task).length > 0) continue;
      claims.push({ kind: 'claim', run: run.plan.manifest.id, task });
      const planned = run.plan.tasks.get(task);
      if (planned !== undefined) held.push({ id: task, task: planned });
    }
  return claims;
}

function finishRun(run: ActiveRun): readonly Decision[] {
  const states = [...run.states.values()];
  if (!states.every(isFinal)) return [];
  return [{ kind: 'finish', run: run.plan.manifest.id, outcome: outcomeOf(states) }];
}

function outcomeOf(states: readonly TaskState[]): RunOutcome {
  if (states.some(({ kind }) => kind === 'failed')) return 'failed';
  return states.some(({ kind }) => kind === 'cancelled') ? 'cancelled' : 'completed';
}

/** In the order in which they would start. */
function pendingTasks(run: ActiveRun): readonly TaskId[] {
  return run.plan.order.filter((id) => run.states.get(id)?.kind === 'pending');
}
