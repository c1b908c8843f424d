import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  FIND_LOG,
  type FolderParams,
  type LogReply,
  RUN_TASKS,
  type RunReply,
  type RunTasks,
  STOP_TASKS,
  type StopReply,
  type TaskKey,
} from '../../protocol/tasks.ts';
import type { ServerProcess } from '../server-process.ts';
import { isActive } from '../views/task-tree-model.ts';
import type { Part, Window } from '../window.ts';
import { pickTask, taskOf, tasksOf } from './choose-task.ts';

export const taskCommands: Part = (window) => ({
  'interlock.tasks.runAll': async () => runAll(window),
  'interlock.task.run': async (...rows) => runSome(window, rows),
  'interlock.task.runThis': async (...rows) => runSome(window, rows),
  'interlock.tasks.stop': async () => stopAll(window),
  'interlock.task.showLog': async (node) => showLog(window, node),
});

async function runAll({ server, tasks }: Window): Promise<void> {
  const folders = [...new Set(tasks.all.map(({ folderUri }) => folderUri))];
  if (folders.length === 0) {
    void vscode.window.showInformationMessage(
      l10n.t('There is no task to run. Write a plan first.'),
    );
    return;
  }
  for (const folderUri of folders) await run(server, { folderUri, ids: [] });
}

/** All rows that are selected; the tasks of one plan are one run. */
async function runSome({ server, tasks }: Window, rows: readonly unknown[]): Promise<void> {
  const named = tasksOf(tasks, rows);
  const picked =
    named.length > 0 ? undefined : await pickTask(tasks.all, l10n.t('Run which task?'));
  const views = picked === undefined ? named : [picked];
  const plans = Map.groupBy(views, ({ folderUri, plan }) => `${folderUri}\n${plan}`);
  for (const members of plans.values()) {
    const [{ folderUri, plan } = { folderUri: '', plan: '' }] = members;
    await run(server, { folderUri, plan, ids: members.map(({ id }) => id) });
  }
}

/** What is run is what is on the screen: plans with unsaved changes are saved first. */
async function run(server: ServerProcess, params: RunTasks): Promise<void> {
  for (const document of vscode.workspace.textDocuments)
    if (document.languageId === 'interlock' && document.isDirty) await document.save();
  const reply = await server.ask<RunReply>(RUN_TASKS, params);
  if (reply.kind === 'refused') {
    void vscode.window.showWarningMessage(reply.message);
    return;
  }
  for (const { message } of reply.refusedPlans) void vscode.window.showWarningMessage(message);
  if (reply.leftOut.length === 0) return;
  const names = reply.leftOut.map(({ id }) => id).join(', ');
  const showProblems = l10n.t('Show Problems');
  const message = l10n.t('Some tasks cannot start and were left out: {0}.', names);
  const chosen = await vscode.window.showWarningMessage(message, showProblems);
  if (chosen === showProblems)
    await vscode.commands.executeCommand('workbench.actions.view.problems');
}

async function stopAll({ server, tasks }: Window): Promise<void> {
  const active = tasks.all.filter(({ state }) => isActive(state));
  const folders = new Set(active.map(({ folderUri }) => folderUri));
  for (const folderUri of folders) {
    const params: FolderParams = { folderUri };
    const { refusal } = await server.ask<StopReply>(STOP_TASKS, params);
    if (refusal !== undefined) void vscode.window.showWarningMessage(refusal);
  }
}

async function showLog({ server, tasks }: Window, node: unknown): Promise<void> {
  const view =
    taskOf(tasks, node) ?? (await pickTask(tasks.all, l10n.t('Show the log of which task?')));
  if (view === undefined) return;
  const { folderUri, plan, id } = view;
  const key: TaskKey = { folderUri, plan, id };
  const { path } = await server.ask<LogReply>(FIND_LOG, key);
  if (path === undefined) {
    void vscode.window.showInformationMessage(l10n.t('"{0}" has not run yet.', view.id));
    return;
  }
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
  await vscode.window.showTextDocument(document, { preview: true });
}
