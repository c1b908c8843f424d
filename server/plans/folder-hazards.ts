import type { TaskGraph } from '../domain/graph/graph.ts';
import { areEqual } from '../domain/equal-lists.ts';
import { HazardFinder, type HazardReport, SLICE_STEPS } from '../domain/paths/hazard-finder.ts';
import type { Hazard, TaskPaths } from '../domain/paths/hazard.ts';
import type { PathRules } from '../domain/paths/overlap.ts';
import { readKeyOf, type TaskEntries } from './plan-links.ts';
import type { PlanTask } from './plan.ts';

/** So many hazards of a plan are shown one by one. */
export const SHOWN_LIMIT = 1000;

/** What is done for each hazard that is shown, however easy it is to spell out. */
const LEAST_STEPS = 20;

/** Works out what is said of a hazard in a plan, and remembers it. Answers with the steps that it took. */
type Spell = (hazard: Hazard, plan: number) => number;

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

  /**
   * Answers with the plans whose hazards are not those of before. Tasks are keys of the graphs. Works in
   * slices, and yields after each the steps that it took. Until the end the hazards are those of before;
   * then all that takes long to say of them is known.
   */
  *finding(
    tasks: readonly TaskPaths[],
    graphs: readonly TaskGraph[],
    spell: Spell,
  ): Generator<number, ReadonlySet<number>> {
    const before = this.#byPlan;
    const wasComplete = this.isComplete;
    const report = yield* this.#finder.finding(tasks, graphs, this.#rules);
    if (report === this.#report) return new Set();
    const found = byPlan(report.hazards);
    yield* this.#spelling(found, spell);
    this.#report = report;
    this.#byPlan = found;
    const plans = new Set([...before.keys(), ...this.#byPlan.keys()]);
    if (wasComplete !== this.isComplete)
      return new Set(tasks.map(({ id }) => readKeyOf(id).number));
    // Nothing of what is not whole is kept, and to compare it anew takes longer than to tell it anew.
    if (!this.isComplete) return plans;
    return new Set([...plans].filter((plan) => !isSame(before.get(plan), this.ofPlan(plan))));
  }

  *#spelling(found: ReadonlyMap<number, readonly Hazard[]>, spell: Spell): Generator<number, void> {
    const { examples } = this.#finder;
    let taken = 0;
    for (const [plan, hazards] of found)
      for (const hazard of hazards.slice(0, SHOWN_LIMIT)) {
        const before = examples.stepsLeft;
        const steps = spell(hazard, plan);
        taken += LEAST_STEPS + steps + before - examples.stepsLeft;
        if (taken < SLICE_STEPS) continue;
        yield taken;
        taken = 0;
      }
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
          (index >= SHOWN_LIMIT || hazard.example === other.example))
      );
    })
  );
}
