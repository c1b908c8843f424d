import type { Project } from '../plans/starter/project.ts';
import type { StarterKind } from '../plans/starter/starter.ts';
import { starterText, type StarterText } from '../plans/starter/starter-text.ts';
import { startersFor } from '../plans/starter/starters.ts';
import { tasksJsonToPlan } from '../plans/vscode-tasks/tasks-json-to-plan.ts';
import type { PlanFiles } from './ports.ts';
import { isPlanFileName } from '../plans/plan-file-names.ts';

/** Where a first plan is written. */
export const FIRST_PLAN = 'interlock.yaml';

/** A first plan that fits a folder, and what to call it. */
export interface StarterPlan extends StarterText {
  readonly kind: StarterKind;
  readonly source: string | undefined;
  readonly ids: readonly string[];
}

/** The plan that lies in a folder itself: nobody needs a first one there. */
export function planIn(root: string, files: PlanFiles): string | undefined {
  return files
    .entries(root, '')
    .flatMap(({ name, isFolder }) => (isFolder ? [] : [name]))
    .toSorted((a, b) => Number(b === FIRST_PLAN) - Number(a === FIRST_PLAN))
    .find(isPlanFileName);
}

/** The likeliest first; the last one fits every folder. */
export function starterPlans(root: string, files: PlanFiles): readonly StarterPlan[] {
  const project: Project = {
    read: (file) => files.read(root, file),
    entries: (folder) => files.entries(root, folder),
  };
  return startersFor(project).map((draft) => ({
    kind: draft.kind,
    source: draft.source,
    ids: draft.tasks.map(({ id }) => id),
    ...starterText(draft),
  }));
}

/** The tasks of a tasks.json as a plan; nothing where the folder has none. */
export function planOfTasksJson(root: string, files: PlanFiles): string | undefined {
  const source = files.list(root).find(({ kind }) => kind === 'vscode-tasks');
  const text = source && files.read(root, source.path);
  const platform = source?.surroundings?.platform;
  return text === undefined || platform === undefined ? undefined : tasksJsonToPlan(text, platform);
}
