import * as l10n from '@vscode/l10n';
import type { FileAnswer } from '../../protocol/agents.ts';
import type { RunTasks, TaskView } from '../../protocol/tasks.ts';

/** A model reads all of it. */
const TASKS_LIMIT = 200;

/** All tasks, or those in some states, for a model to read. */
export function statusText(
  tasks: readonly TaskView[],
  states: readonly string[] | undefined,
): string {
  const counts: Record<string, number> = {};
  for (const { state } of tasks) counts[state] = (counts[state] ?? 0) + 1;
  const wanted = states === undefined ? tasks : tasks.filter(({ state }) => states.includes(state));
  const shown = wanted.slice(0, TASKS_LIMIT).map(({ plan, id, title, state, detail }) => {
    return { plan, id, title, state, detail };
  });
  return JSON.stringify({ counts, tasks: shown, left: wanted.length - shown.length });
}

/** Who else is at work on files, for a model to read. */
export function ownersText(paths: readonly string[], files: readonly FileAnswer[]): string {
  const answers = files.map(({ mayWrite, sentences }, index) => {
    return { path: paths[index], mayWrite, sentences };
  });
  return JSON.stringify({ files: answers });
}

export type ChosenTasks =
  | { readonly kind: 'chosen'; readonly views: readonly TaskView[] }
  | { readonly kind: 'unknown'; readonly message: string };

/** The tasks that a model means: `id`, or `plan:id` where several plans have it. */
export function chooseTasks(tasks: readonly TaskView[], names: readonly string[]): ChosenTasks {
  const views: TaskView[] = [];
  for (const name of names) {
    const colon = name.lastIndexOf(':');
    const [plan, id] = [name.slice(0, Math.max(0, colon)), name.slice(colon + 1)];
    const found = tasks.filter((view) => view.id === id && (plan === '' || view.plan === plan));
    const [first] = found;
    if (first === undefined)
      return { kind: 'unknown', message: l10n.t('There is no task "{0}".', name) };
    if (found.length > 1) {
      const plans = found.map((view) => view.plan).join(', ');
      return {
        kind: 'unknown',
        message: l10n.t('Several plans have a task "{0}": {1}. Say PLAN:ID.', name, plans),
      };
    }
    views.push(first);
  }
  return { kind: 'chosen', views };
}

/** What the server is asked for: one request for each plan. */
export function runsOf(views: readonly TaskView[]): readonly RunTasks[] {
  const runs = new Map<string, RunTasks>();
  for (const { folderUri, plan, id } of views) {
    const key = `${folderUri}\n${plan}`;
    runs.set(key, { folderUri, plan, ids: [...(runs.get(key)?.ids ?? []), id] });
  }
  return [...runs.values()];
}
