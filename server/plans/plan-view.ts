import { splitReference, type TaskId } from '../domain/ids.ts';
import type { Hazard } from '../domain/paths/hazard.ts';
import { type CycleStep, cycleProblems } from './cycle-problems.ts';
import { type CollidingMentions, hazardProblems, type HazardSide } from './hazard-problems.ts';
import type { Mention, Problem, TextRange } from './plan.ts';
import { type PlanIds, readKeyOf, taskIn } from './plan-links.ts';
import type { PlanNames } from './plan-names.ts';
import type { PlanSource } from './plan-source.ts';

/** A plan among the others of its folder. */
export interface PlanInFolder extends PlanIds {
  readonly source: PlanSource;
}

/** All plans of a folder. */
export interface PlansOfFolder {
  readonly names: PlanNames;
  /** By the number that is in the keys of its tasks. */
  numbered(number: number): PlanInFolder | undefined;
}

/** What is to be said in one plan: of its own tasks by their ids, of others by `plan/id`. */
export class PlanView {
  readonly #plan: PlanInFolder;
  readonly #plans: PlansOfFolder;

  constructor(plan: PlanInFolder, plans: PlansOfFolder) {
    this.#plan = plan;
    this.#plans = plans;
  }

  nameOf(key: TaskId): string {
    const { number, id } = readKeyOf(key);
    const plan = this.#plans.numbered(number);
    if (plan === undefined || plan === this.#plan) return (plan && taskIn(plan, id))?.label ?? id;
    const { knownAs, shortPath } = plan.named;
    const isClear = this.#plans.names.find(knownAs).kind === 'found';
    return `${isClear ? knownAs : shortPath}/${id}`;
  }

  cycleProblems(cycle: readonly TaskId[]): readonly Problem[] {
    return cycleProblems(cycle, (key, next): CycleStep => {
      const plan = this.#planOf(key);
      const mention = plan && mentionOf(plan, key, { next, plans: this.#plans });
      return {
        name: this.nameOf(key),
        waitsFor: this.nameOf(next),
        isOwn: plan === this.#plan,
        range: plan && mention && this.#placeIn(plan, mention.range),
      };
    });
  }

  hazardProblems(hazard: Hazard, colliding: CollidingMentions): readonly Problem[] {
    const [first, second] = [this.#sideOf(hazard.first), this.#sideOf(hazard.second)];
    if (first === undefined || second === undefined) return [];
    return hazardProblems(hazard, [first, second], colliding);
  }

  #sideOf(key: TaskId): HazardSide | undefined {
    const plan = this.#planOf(key);
    const task = plan && taskIn(plan, readKeyOf(key).id);
    if (plan === undefined || task === undefined) return undefined;
    const placeOf = (range: TextRange): TextRange => this.#placeIn(plan, range);
    return { task, name: this.nameOf(key), isOwn: plan === this.#plan, placeOf };
  }

  #planOf(key: TaskId): PlanInFolder | undefined {
    return this.#plans.numbered(readKeyOf(key).number);
  }

  #placeIn(plan: PlanInFolder, range: TextRange): TextRange {
    if (plan === this.#plan) return range;
    return { file: range.file ?? plan.source.path, start: range.start, end: range.end };
  }
}

/** Where a task says that it waits for `next`. */
function mentionOf(
  plan: PlanInFolder,
  key: TaskId,
  { next, plans }: { readonly next: TaskId; readonly plans: PlansOfFolder },
): Mention | undefined {
  const task = taskIn(plan, readKeyOf(key).id);
  if (task === undefined) return undefined;
  const { number, id } = readKeyOf(next);
  const target = plans.numbered(number);
  return [...task.dependsOnMentions, ...task.afterMentions].find(({ text }) => {
    const reference = splitReference(text);
    if (reference.task !== id) return false;
    if (reference.plan === undefined) return target === plan;
    const found = plans.names.find(reference.plan);
    return found.kind === 'found' && found.path === target?.source.path;
  });
}
