import type { TaskGraph } from '../domain/graph/graph.ts';
import { areEqual } from '../domain/equal-lists.ts';
import { HazardFinder, type HazardReport } from '../domain/paths/hazard-finder.ts';
import type { Hazard, TaskPaths } from '../domain/paths/hazard.ts';
import type { PathRules } from '../domain/paths/overlap.ts';
import { readKeyOf, type TaskEntries } from './plan-links.ts';
import type { PlanTask } from './plan.ts';

/** The hazards of a folder, those between tasks of different plans included: one command runs all of them. */
export class FolderHazards {
  readonly #rules: PathRules;
  readonly #finder = new HazardFinder();
  #report: HazardReport = { hazards: [], isComplete: true };
  #byPlan: ReadonlyMap<number, readonly Hazard[]> = new Map();

  constructor(rules: PathRules) {
    this.#rules = rules;
  }

  get isComplete(): boolean {
    return this.#report.isComplete;
  }

  /** Those that a task of this plan is in. */
  ofPlan(number: number): readonly Hazard[] {
    return this.#byPlan.get(number) ?? [];
  }

  /** Answers with the plans whose hazards are not those of before. Tasks are keys of the graphs. */
  find(tasks: readonly TaskPaths[], graphs: readonly TaskGraph[]): ReadonlySet<number> {
    const before = this.#byPlan;
    const wasComplete = this.isComplete;
    const report = this.#finder.find(tasks, graphs, this.#rules);
    if (report === this.#report) return new Set();
    this.#report = report;
    this.#byPlan = byPlan(this.#report.hazards);
    const plans = new Set([...before.keys(), ...this.#byPlan.keys()]);
    if (wasComplete !== this.isComplete)
      return new Set(tasks.map(({ id }) => readKeyOf(id).number));
    // Nothing of what is not whole is kept, and to compare it anew takes longer than to tell it anew.
    if (!this.isComplete) return plans;
    return new Set([...plans].filter((plan) => !isSame(before.get(plan), this.ofPlan(plan))));
  }
}

/** Those of before where they say the same. */
export function pathsOf(
  tasks: readonly PlanTask[],
  { entries, before }: { entries: TaskEntries; before: readonly TaskPaths[] | undefined },
): readonly TaskPaths[] {
  let isChanged = tasks.length !== before?.length;
  const paths = tasks.map((task, index): TaskPaths => {
    const id = entries.get(task.id)!.key;
    const known = before?.[index];
    if (
      known?.id === id &&
      areEqual(known.reads, task.reads) &&
      areEqual(known.writes, task.writes)
    )
      return known;
    isChanged = true;
    return { id, reads: task.reads, writes: task.writes };
  });
  return isChanged || before === undefined ? paths : before;
}

function byPlan(hazards: readonly Hazard[]): ReadonlyMap<number, readonly Hazard[]> {
  const plans = new Map<number, Hazard[]>();
  for (const hazard of hazards)
    for (const number of new Set(
      [hazard.first, hazard.second].map((key) => readKeyOf(key).number),
    )) {
      const known = plans.get(number);
      if (known === undefined) plans.set(number, [hazard]);
      else known.push(hazard);
    }
  return plans;
}

function isSame(before: readonly Hazard[] = [], now: readonly Hazard[]): boolean {
  return (
    before.length === now.length &&
    before.every((hazard, index) => {
      const other = now[index]!;
      return (
        hazard === other ||
        (hazard.kind === other.kind &&
          hazard.first === other.first &&
          hazard.second === other.second &&
          hazard.example === other.example)
      );
    })
  );
}
