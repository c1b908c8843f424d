import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  type FolderParams,
  RUN_TASKS,
  type RunReply,
  type RunTasks,
  STOP_TASKS,
  type StopReply,
} from '../../protocol/tasks.ts';
import type { ServerProcess } from '../server-process.ts';
import { isActive } from '../views/task-tree-model.ts';
import type { Part, Window } from '../window.ts';
import { tasksOf } from './called-for.ts';
import { chooseTask } from './choose-task.ts';
import { showInformation, showWarning } from '../show-message.ts';

type RunAccepted = Extract<RunReply, { kind: 'accepted' }>;

export const taskCommands: Part = (window) => ({
  'interlock.tasks.runAll': async () => runAll(window),
  'interlock.task.run': async (...rows) => runSome(window, rows),
  'interlock.task.runThis': async (...rows) => runSome(window, rows),
  'interlock.tasks.stop': async () => stopAll(window),
});

async function runAll({ server, tasks }: Window): Promise<void> {
  const folders = [...tasks.folders];
  if (folders.length === 0) {
    void showInformation(l10n.t('There is no task to run. Write a plan first.'));
    return;
  }
  for (const folderUri of folders) await runTasks(server, { folderUri, ids: [] });
}

/** All rows that are selected; the tasks of one plan are one run. */
async function runSome(window: Window, rows: readonly unknown[]): Promise<void> {
  const { server, tasks } = window;
  const named = tasksOf(tasks, rows);
  const placeHolder = l10n.t('Run which task?');
  const picked = named.length > 0 ? undefined : await chooseTask(window, rows[0], { placeHolder });
  const views = picked === undefined ? named : [picked];
  const plans = Map.groupBy(views, ({ folderUri, plan }) => `${folderUri}\n${plan}`);
  for (const members of plans.values()) {
    const [{ folderUri, plan } = { folderUri: '', plan: '' }] = members;
    await runTasks(server, { folderUri, plan, ids: members.map(({ id }) => id) });
  }
}

/** What is run is what is on the screen. */
export async function savePlans(): Promise<void> {
  for (const document of vscode.workspace.textDocuments)
    if (document.languageId === 'interlock' && document.isDirty) await document.save();
}

/** Answers whether anything runs. */
export async function runTasks(server: ServerProcess, params: RunTasks): Promise<boolean> {
  if (!vscode.workspace.isTrusted) {
    void askForTrust();
    return false;
  }
  await savePlans();
  const reply = await server.ask<RunReply>(RUN_TASKS, params);
  if (reply.kind === 'refused') {
    void showWarning(reply.message);
    return false;
  }
  for (const { message } of reply.refusedPlans) void showWarning(message);
  if (reply.leftOut.length > 0) void sayLeftOut(reply.leftOut);
  return true;
}

/** Lenses and links get here where menus are disabled. */
async function askForTrust(): Promise<void> {
  const manage = l10n.t('Manage Workspace Trust');
  const message = l10n.t('Trust this folder to run its tasks.');
  if ((await showInformation(message, manage)) === manage)
    await vscode.commands.executeCommand('workbench.trust.manage');
}

async function sayLeftOut(leftOut: RunAccepted['leftOut']): Promise<void> {
  const names = leftOut.map(({ id }) => id).join(', ');
  const showProblems = l10n.t('Show Problems');
  const message = l10n.t('Some tasks cannot start and were left out: {0}.', names);
  const chosen = await showWarning(message, showProblems);
  if (chosen === showProblems)
    await vscode.commands.executeCommand('workbench.actions.view.problems');
}

async function stopAll({ server, tasks }: Window): Promise<void> {
  const active = tasks.all.filter(({ state }) => isActive(state));
  const folders = new Set(active.map(({ folderUri }) => folderUri));
  if (folders.size === 0) void showInformation(l10n.t('Nothing runs: there is nothing to stop.'));
  for (const folderUri of folders) {
    const params: FolderParams = { folderUri };
    const { refusal } = await server.ask<StopReply>(STOP_TASKS, params);
    if (refusal !== undefined) void showWarning(refusal);
  }
}
