import { displayText, inShort } from '../domain/display-text.ts';
import type { PlanTask } from '../plans/plan.ts';
import type { PlanInFolder, PlansOfFolder } from './plan-in-folder.ts';
import { commandText } from './about-task.ts';
import { endOfText, type Span } from './yaml/tree.ts';
import { fileOf } from '../plans/plan-source.ts';

/** Something with a name, for an outline. */
export interface PlanSymbol {
  readonly kind: 'plan' | 'task';
  readonly name: string;
  readonly detail: string;
  readonly range: Span;
  /** What names it, inside of the range. */
  readonly nameRange: Span;
  readonly children: readonly PlanSymbol[];
}

/** The tasks that are written in one file of a plan; below the plan in the file that it is named after. */
export function symbolsOf(plan: PlanInFolder, file: string): readonly PlanSymbol[] {
  const text = plan.texts.get(file) ?? '';
  const tasks = plan.plan.tasks.flatMap((task): readonly PlanSymbol[] => {
    if (fileOf(task.idRange, plan) !== file) return [];
    const { start, end } = task.idRange;
    const isOutside = fileOf(task.range, plan) !== file || task.range.start > start;
    const range = isOutside
      ? { start, end }
      : { start: task.range.start, end: Math.max(end, task.range.end) };
    return [
      {
        kind: 'task',
        name: task.id,
        detail: detailOf(task),
        range: { start: range.start, end: endOfText(text, range) },
        nameRange: { start, end },
        children: [],
      },
    ];
  });
  if (file !== plan.path) return tasks;
  const range = { start: 0, end: text.length };
  const nameRange = { start: 0, end: Math.max(0, text.search(/\r?\n|$/)) };
  const name = displayText(plan.plan.knownAs) || plan.path;
  return [{ kind: 'plan', name, detail: plan.path, range, nameRange, children: tasks }];
}

export interface FoundTask {
  readonly plan: PlanInFolder;
  readonly task: PlanTask;
  readonly planName: string;
}

/** The tasks whose ids have the letters of a query in its order; the best first, and no more than are read. */
export function findTasks(
  folder: PlansOfFolder,
  query: string,
  limit: number,
): readonly FoundTask[] {
  const letters = query.toLowerCase().replaceAll(/\s+/g, '');
  const found: { readonly plan: PlanInFolder; readonly task: PlanTask; readonly rank: number }[] =
    [];
  for (const plan of folder.plans)
    for (const task of plan.plan.tasks) {
      const rank = rankOf(task.id, letters);
      if (rank !== undefined) found.push({ plan, task, rank });
    }
  return found
    .toSorted((a, b) => a.rank - b.rank || a.task.id.length - b.task.id.length)
    .slice(0, limit)
    .map(({ plan, task }) => ({ plan, task, planName: plan.plan.knownAs }));
}

/** How far apart the letters stand in an id, less where it begins with them; nothing if they do not. */
function rankOf(id: string, letters: string): number | undefined {
  if (letters === '') return 0;
  const folded = id.toLowerCase();
  const whole = folded.indexOf(letters);
  if (whole >= 0) return whole;
  let at = -1;
  const first = folded.indexOf(letters[0]!);
  for (const letter of letters) {
    at = folded.indexOf(letter, at + 1);
    if (at < 0) return undefined;
  }
  return 100 + at - first - letters.length;
}

function detailOf({ title, command }: PlanTask): string {
  if (title !== '') return inShort(displayText(title));
  if (command === undefined) return '';
  return inShort(displayText(commandText(command).trim().split('\n')[0] ?? ''));
}
