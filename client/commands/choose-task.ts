import * as vscode from 'vscode';
import type { TaskView } from '../../protocol/tasks.ts';
import { keyOf, type TaskList } from '../task-list.ts';
import { taskRow } from '../views/task-tree-model.ts';

/**
 * The task that a command was called for: a menu passes the row it belongs to, and a link or another
 * program the names of a task; the palette passes nothing.
 */
export function taskOf(tasks: TaskList, argument: unknown): TaskView | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { key, folderUri, plan, id }: Partial<Record<string, unknown>> = { ...argument };
  if (typeof key === 'string') return tasks.get(key);
  if (typeof folderUri !== 'string' || typeof plan !== 'string' || typeof id !== 'string')
    return undefined;
  return tasks.get(keyOf({ folderUri, plan, id }));
}

/** Asks for one; the rows say how each task is. */
export async function pickTask(
  views: readonly TaskView[],
  placeHolder: string,
): Promise<TaskView | undefined> {
  const items = views.map((view) => {
    const { icon, label, description } = taskRow(view);
    return { view, label: `$(${icon}) ${label}`, description, detail: view.title || view.plan };
  });
  const picked = await vscode.window.showQuickPick(items, { placeHolder, matchOnDetail: true });
  return picked?.view;
}
