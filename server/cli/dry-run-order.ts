import type { ChosenPart } from '../board/run-choice.ts';
import { buildGraph } from '../domain/graph/graph.ts';
import type { TaskId } from '../domain/ids.ts';
import { findHazards } from '../domain/paths/hazard-finder.ts';
import type { PathRules } from '../domain/paths/overlap.ts';
import { hazardPolicyOf } from '../domain/run.ts';

/** Why a step comes where it does. */
export interface StepOrder {
  /** What its plan says comes first, of what runs at all. */
  readonly after: readonly TaskId[];
  /** Earlier steps that use its files, and are over before it starts. */
  readonly waitsFor: readonly TaskId[];
}

/** For the steps of a run in their order. */
export function orderOfSteps(
  { plan, tasks }: ChosenPart,
  steps: readonly TaskId[],
  rules: PathRules,
): ReadonlyMap<TaskId, StepOrder> {
  const places = new Map(steps.map((task, place) => [task, place]));
  const policy = hazardPolicyOf(plan.plan);
  const waits = new Map<TaskId, TaskId[]>();
  for (const { kind, first, second } of findHazards(tasks, buildGraph(tasks), rules).hazards) {
    const rule = kind === 'write-write' ? policy.writeWrite : policy.readWrite;
    const [a, b] = [places.get(first), places.get(second)];
    if (rule !== 'wait' || a === undefined || b === undefined) continue;
    const [earlier, later] = a < b ? [first, second] : [second, first];
    waits.set(later, [...(waits.get(later) ?? []), earlier]);
  }
  return new Map(
    tasks.map(({ id, dependsOn, after }) => {
      const before = [...new Set([...dependsOn, ...after])].filter((task) => places.has(task));
      return [id, { after: before, waitsFor: waits.get(id) ?? [] }];
    }),
  );
}
