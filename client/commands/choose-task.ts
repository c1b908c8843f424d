import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { TaskView } from '../../protocol/tasks.ts';
import { foldersOf } from '../folder-name.ts';
import { needsUser } from '../needs-user.ts';
import { now } from '../time.ts';
import { isActive, taskRow } from '../views/task-tree-model.ts';
import { showInformation } from '../show-message.ts';
import { withoutIcons } from '../text-of-others.ts';
import type { Window } from '../window.ts';
import { isCalledFor, taskOf } from './called-for.ts';
import { sayGone } from './say-gone.ts';

/** The task that a command was called for, or one that is picked. */
export async function chooseTask(
  { tasks }: Pick<Window, 'tasks'>,
  argument: unknown,
  {
    placeHolder,
    from = tasks.all,
  }: { readonly placeHolder: string; readonly from?: readonly TaskView[] },
): Promise<TaskView | undefined> {
  const called = taskOf(tasks, argument);
  if (called !== undefined) return called;
  if (isCalledFor(argument)) return sayGone();
  if (from.length > 0) return await pickTask(from, placeHolder);
  void showInformation(l10n.t('There is no task for this yet: plans say which there are.'));
  return undefined;
}

/** Asks for one; the rows say how each task is. */
export async function pickTask(
  views: readonly TaskView[],
  placeHolder: string,
): Promise<TaskView | undefined> {
  const options = { placeHolder, matchOnDetail: true, matchOnDescription: true };
  const picked = await vscode.window.showQuickPick(itemsOf(views), options);
  return picked?.view;
}

/** Asks for any number of them. */
export async function pickTasks(
  views: readonly TaskView[],
  placeHolder: string,
): Promise<readonly TaskView[]> {
  const [only, ...others] = views;
  if (only !== undefined && others.length === 0) return [only];
  const picked = await vscode.window.showQuickPick(itemsOf(views), {
    placeHolder,
    matchOnDetail: true,
    matchOnDescription: true,
    canPickMany: true,
  });
  const chosen = picked?.flatMap(({ view }) => view ?? []) ?? [];
  // Enter takes what is ticked, and to look at a row does not tick it.
  if (picked !== undefined && chosen.length === 0)
    void showInformation(l10n.t('No task was ticked: press Space on a row, or click it.'));
  return chosen;
}

type Item = vscode.QuickPickItem & { readonly view?: TaskView };

/** Those that need the user first, then those that run, then the others, where there is more than one kind. */
function itemsOf(views: readonly TaskView[]): readonly Item[] {
  const rest = views.filter((view) => !needsUser(view));
  const groups: readonly (readonly [string, readonly TaskView[]])[] = [
    [l10n.t('Needs attention'), views.filter(needsUser)],
    [l10n.t('In a run'), rest.filter(({ state }) => isActive(state))],
    [l10n.t('Others'), rest.filter(({ state }) => !isActive(state))],
  ];
  const filled = groups.filter(([, members]) => members.length > 0);
  const inFolder = foldersOf(views);
  const hasManyPlans = new Set(views.map((view) => inFolder(view, view.plan))).size > 1;
  return filled.flatMap(([label, members]) => [
    ...(filled.length > 1 ? [{ label, kind: vscode.QuickPickItemKind.Separator }] : []),
    ...members.map((view) => ({
      ...itemOf(view),
      ...(hasManyPlans && { detail: withoutIcons(inFolder(view, view.plan)) }),
    })),
  ]);
}

function itemOf(view: TaskView): Item {
  const { icon, label, description } = taskRow(view, now());
  return { view, label: `$(${icon}) ${label}`, description: withoutIcons(description) };
}
