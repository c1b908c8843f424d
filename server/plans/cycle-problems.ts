import type { TaskId } from '../domain/ids.ts';
import type { Problem, TextRange } from './plan.ts';

/** A longer cycle is marked, and spelled out, at this many of its steps. */
const CYCLE_STEP_LIMIT = 20;

/** One task of a cycle, as the plan that is looked at sees it. */
export interface CycleStep {
  readonly name: string;
  readonly waitsFor: string;
  /** Whether it is a task of that plan. */
  readonly isOwn: boolean;
  /** Where it says what it waits for, seen from that plan. */
  readonly range: TextRange | undefined;
}

/** The task that waits, and the one that it waits for. */
export type StepOf = (key: TaskId, next: TaskId) => CycleStep;

/** One problem at each step of the cycle in one plan, each naming the whole cycle. */
export function cycleProblems(cycle: readonly TaskId[], stepOf: StepOf): readonly Problem[] {
  const steps = cycle
    .slice(0, CYCLE_STEP_LIMIT)
    .map((key, index) => stepOf(key, cycle[(index + 1) % cycle.length]!));
  const names = steps.map(({ name }) => name);
  const [first] = names;
  const others = cycle.length - steps.length;
  const shown = [...names, ...(others > 0 ? [`${others} more`] : []), first].join(' → ');
  const message =
    cycle.length === 1
      ? `Dependency cycle: ${first} → ${first}. A task cannot wait for itself.`
      : `Dependency cycle: ${shown}. None of these tasks can start.`;
  const places = steps.flatMap(({ name, waitsFor, range, isOwn }) =>
    range === undefined ? [] : [{ range, isOwn, message: `"${name}" waits for "${waitsFor}".` }],
  );
  return places.flatMap((place): readonly Problem[] => {
    if (!place.isOwn) return [];
    const related = places.filter((other) => other !== place);
    return [
      {
        code: 'cycle',
        severity: 'error',
        message,
        range: place.range,
        related: related.map(({ range, message: said }) => ({ range, message: said })),
      },
    ];
  });
}
