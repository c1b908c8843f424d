import {
  holderOf,
  isFinal,
  NEW_TASK,
  type TaskDefinition,
  type TaskState,
} from '../../domain/task.ts';
import type { OutsideTask } from '../../domain/run.ts';
import type { Instant } from '../../domain/time.ts';
import type { Standing } from './outside.ts';
import { RunModel, type TaskEntry } from './run-model.ts';

/**
 * A run after its plan was edited. Whoever is held stays as it began, and whoever has ended stays at
 * its end: only if it runs again, it does so by its new definition. Whoever waits takes that at once
 * and begins a new revision, a new one joins, and one that is gone from the plan is gone.
 */
export function reviseRun(
  run: RunModel,
  { tasks, at }: { readonly tasks: readonly TaskDefinition[]; readonly at: Instant },
): RunModel {
  const kept = new Set(tasks.map(({ id }) => id));
  const states = new Map<string, TaskState>();
  const definitions = tasks.map((definition) => {
    const entry = run.find(definition.id);
    if (entry === undefined) {
      // One that comes back is not taken for the one that has left.
      const revision = (run.earlierRevisions.get(definition.id) ?? 0) + 1;
      states.set(definition.id, { kind: 'pending', tries: { ...NEW_TASK.tries, revision } });
      return definition;
    }
    states.set(definition.id, stateUnder(definition, entry));
    return holderOf(entry.state) === undefined ? definition : entry.definition;
  });
  const gone = run.entries.filter((entry) => !kept.has(entry.id) && !isOpen(entry));
  for (const { id, state } of gone) states.set(id, state);
  const manifest = {
    ...run.manifest,
    tasks: [...definitions, ...gone.map(({ definition }) => definition)],
  };
  const standingOf = ({ reference }: OutsideTask): Standing =>
    run.outside.get(reference)?.standing ?? 'open';
  const revised = new RunModel(manifest, { stateOf: (id) => states.get(id), standingOf, at });
  revised.isStopping = run.isStopping;
  revised.isInterrupted = run.isInterrupted;
  for (const [id, revision] of run.earlierRevisions) revised.earlierRevisions.set(id, revision);
  for (const { id, state } of run.entries) revised.earlierRevisions.set(id, state.tries.revision);
  for (const entry of revised.entries) {
    const before = run.find(entry.id);
    if (before !== undefined) carryOver(before, entry);
    if (entry.isPaused) revised.paused.add(entry);
  }
  return revised;
}

/** Nobody is at work on it, and somebody may be. */
function isOpen({ state }: TaskEntry): boolean {
  return !isFinal(state) && holderOf(state) === undefined;
}

function stateUnder(definition: TaskDefinition, entry: TaskEntry): TaskState {
  const { state } = entry;
  if (!isOpen(entry) || isSame(definition, entry.definition)) return state;
  const tries = { ...NEW_TASK.tries, revision: state.tries.revision + 1 };
  return state.kind === 'attention' ? { ...state, tries } : { kind: 'pending', tries };
}

/** Definitions are plain values, written in one order by the parser. */
function isSame(a: TaskDefinition, b: TaskDefinition): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function carryOver(before: TaskEntry, entry: TaskEntry): void {
  // What has just become ready, because it waits for less now, is ready since now.
  const isSameTry = before.state === entry.state;
  // Whoever begins anew waits for no backoff any more.
  if (before.unmet === 0 && (isSameTry || before.readySince < entry.readySince))
    entry.readySince = before.readySince;
  entry.isPaused = before.isPaused;
  entry.ranAt = before.ranAt;
  if (isFinal(entry.state)) return;
  entry.wokenAt = before.wokenAt;
  entry.leftBy = before.leftBy;
  if (entry.state.tries.revision === before.state.tries.revision)
    entry.starvation = before.starvation;
}
