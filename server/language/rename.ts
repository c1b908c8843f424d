import { foldTaskId, parseTaskId } from '../domain/ids.ts';
import type { PlansOfFolder, TaskInFolder } from './plan-in-folder.ts';
import { idAt, type IdPlace, placesOf, type Spot, taskOf } from './task-mentions.ts';

/** A sentence that says why something cannot be renamed, or not so. */
interface Refusal {
  readonly kind: 'refused';
  readonly message: string;
}

export type Renamable =
  | { readonly kind: 'renamable'; readonly place: IdPlace; readonly target: TaskInFolder }
  | Refusal;

export type Renaming =
  | { readonly kind: 'edits'; readonly target: TaskInFolder; readonly edits: readonly PlanEdit[] }
  | Refusal;

/** A text that takes the place of another. */
interface PlanEdit {
  readonly file: string;
  readonly range: { readonly start: number; readonly end: number };
  readonly newText: string;
}

/** YAML reads these words as nothing, where they are not in quotes. */
const NULLS = new Set(['null', 'Null', 'NULL']);

/** The id at a place, if it is one that can be renamed. */
export function renamableAt(folder: PlansOfFolder, spot: Spot): Renamable {
  const place = idAt(spot);
  if (place === undefined) return refused('Only the ids of tasks can be renamed here.');
  const target = taskOf(folder, place);
  if (target === undefined)
    return refused(`There is no task "${place.text}", so it cannot be renamed.`);
  switch (target.plan.kind) {
    case 'kanban':
      return refused(
        `"${target.task.id}" is the number of a task on a kanban board; the board gives those.`,
      );
    case 'vscode-tasks':
      return refused(
        `"${target.task.id}" is made from a label in ${target.plan.path}. Change the label there.`,
      );
    default:
      return { kind: 'renamable', place, target };
  }
}

/** What has to change in all plans of the folder, for a task to have another id. */
export function rename(folder: PlansOfFolder, spot: Spot, newName: string): Renaming {
  const found = renamableAt(folder, spot);
  if (found.kind === 'refused') return found;
  const { target } = found;
  if (parseTaskId(newName) === undefined)
    return refused(
      'An id starts with a letter or digit and has at most 64 of: letters, digits, "." "_" "-".',
    );
  const taken = target.plan.plan.tasks.find(
    (task) => task.id !== target.task.id && foldTaskId(task.id) === foldTaskId(newName),
  );
  if (taken !== undefined) {
    const because = taken.id === newName ? '' : '; ids differ in more than case';
    return refused(`There is a task "${taken.id}" in this plan already${because}.`);
  }
  const edits = placesOf(folder, target).map((place) => ({
    file: place.file,
    range: place.range,
    newText: needsQuotes(place, newName) ? `"${newName}"` : newName,
  }));
  return { kind: 'edits', target, edits };
}

function needsQuotes({ plan, file, range }: IdPlace, newName: string): boolean {
  const before = plan.texts.get(file)?.[range.start - 1] ?? '';
  return NULLS.has(newName) && !['"', "'", '/'].includes(before);
}

function refused(message: string): Refusal {
  return { kind: 'refused', message };
}
