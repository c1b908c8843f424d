import type { Mention, TextRange } from '../plans/plan.ts';
import {
  type PlanInFolder,
  type PlansOfFolder,
  referenceResolver,
  resolveReference,
  type TaskInFolder,
} from './plan-in-folder.ts';
import { fileOf } from '../plans/plan-source.ts';

/** A place in some plan of a folder where an id is written. */
export interface IdPlace {
  readonly plan: PlanInFolder;
  readonly file: string;
  /** Of the id alone: without quotes, and without the plan before it. */
  readonly range: TextRange;
  readonly isDeclaration: boolean;
  /** As it is written, with the plan before it if there is one. */
  readonly text: string;
}

/** Where in a plan is asked. */
export interface Spot {
  readonly plan: PlanInFolder;
  readonly file: string;
  readonly offset: number;
}

/** The id that is written at an offset. */
export function idAt({ plan, file, offset }: Spot): IdPlace | undefined {
  const isHere = (range: TextRange): boolean =>
    range.start <= offset && offset <= range.end && fileOf(range, plan) === file;
  for (const task of plan.plan.tasks) {
    if (isHere(task.idRange)) return placeOf(plan, { text: task.id, range: task.idRange }, true);
    // Every id of a task stands in its range, or in its file where each has its own.
    for (const mention of [...task.dependsOnMentions, ...task.afterMentions])
      if (isHere(mention.range)) return placeOf(plan, mention, false);
  }
  return undefined;
}

/** The task that is meant by an id. */
export function taskOf(
  folder: PlansOfFolder,
  { plan, text, isDeclaration }: IdPlace,
): TaskInFolder | undefined {
  if (!isDeclaration) return resolveReference(folder, plan, text);
  const task = plan.plan.tasks.find(({ id }) => id === text);
  return task && { plan, task };
}

/** Every place where a task is named, its own id first. */
export function placesOf(folder: PlansOfFolder, target: TaskInFolder): readonly IdPlace[] {
  const { id, idRange } = target.task;
  const resolve = referenceResolver(folder);
  const places = [placeOf(target.plan, { text: id, range: idRange }, true)];
  for (const plan of folder.plans) {
    const meant = new Map<string, boolean>();
    const isMeant = (text: string): boolean => {
      if (text !== id && !text.endsWith(`/${id}`)) return false;
      const known = meant.get(text);
      if (known !== undefined) return known;
      const found = resolve(plan, text);
      const isTarget = found?.plan.path === target.plan.path && found.task.id === id;
      meant.set(text, isTarget);
      return isTarget;
    };
    const mentions = plan.plan.tasks.flatMap((task) => [
      ...task.dependsOnMentions,
      ...task.afterMentions,
    ]);
    for (const mention of mentions)
      if (isMeant(mention.text)) places.push(placeOf(plan, mention, false));
  }
  return places;
}

function placeOf(plan: PlanInFolder, { text, range }: Mention, isDeclaration: boolean): IdPlace {
  const file = fileOf(range, plan);
  return { plan, file, range: idWithin(plan, range), isDeclaration, text };
}

/** What of a mention is the id. */
function idWithin(plan: PlanInFolder, range: TextRange): TextRange {
  const written = plan.texts.get(fileOf(range, plan))?.slice(range.start, range.end) ?? '';
  const quote = /^(["']).*\1$/s.test(written) ? 1 : 0;
  const slash = written.lastIndexOf('/') + 1;
  return { ...range, start: range.start + Math.max(quote, slash), end: range.end - quote };
}
