import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  type ImportSource,
  type ImportsReply,
  LIST_IMPORTS,
  LIST_STARTERS,
  type NewPlanText,
  type StartersReply,
} from '../../protocol/starter-plan.ts';
import type { FolderParams } from '../../protocol/tasks.ts';
import type { ServerProcess } from '../server-process.ts';
import { foldersOf } from '../folder-name.ts';
import type { Part, Window } from '../window.ts';
import { chooseFolder, uriOf } from './choose-folder.ts';
import { importRow, planRow, starterRows } from './plan-choices-model.ts';
import { showBriefly, showInformation, showWarning } from '../show-message.ts';

export const planCommands: Part = (window) => ({
  'interlock.plan.new': async () => newPlan(window.server),
  'interlock.plan.open': async () => openPlan(window),
  'interlock.plan.import': async () => importPlan(window.server),
});

/** Writes a plan that fits the folder, and shows the one that is there already instead of a second one. */
async function newPlan(server: ServerProcess): Promise<void> {
  const folder = await chooseFolder(l10n.t('Which folder is the plan for?'));
  if (folder === undefined) return;
  const params: FolderParams = { folderUri: uriOf(folder) };
  const reply = await server.ask<StartersReply>(LIST_STARTERS, params);
  switch (reply.kind) {
    case 'refused':
      void showWarning(reply.message);
      return;
    case 'exists':
      await vscode.window.showTextDocument(vscode.Uri.parse(reply.uri));
      showBriefly(l10n.t('This folder has a plan already.'));
      return;
    case 'offered': {
      const starter = await chooseStarter(reply.starters);
      if (starter !== undefined) await write(starter);
      return;
    }
    default:
      reply satisfies never;
  }
}

/** The last one fits always: it is a question only where more than one was made for this folder. */
async function chooseStarter(starters: readonly NewPlanText[]): Promise<NewPlanText | undefined> {
  if (starters.length <= 2) return starters[0];
  const picked = await vscode.window.showQuickPick(starterRows(starters), {
    placeHolder: l10n.t('What is the plan to begin with?'),
    matchOnDetail: true,
  });
  return picked?.starter;
}

async function importPlan(server: ServerProcess): Promise<void> {
  const folder = await chooseFolder(l10n.t('Which folder are the tasks in?'));
  if (folder === undefined) return;
  const params: FolderParams = { folderUri: uriOf(folder) };
  const reply = await server.ask<ImportsReply>(LIST_IMPORTS, params);
  if (reply.kind === 'refused') {
    void showWarning(reply.message);
    return;
  }
  if (reply.sources.length === 0) return offerNewPlan(folder);
  const source = await chooseSource(reply.sources);
  if (source === undefined) return;
  if (source.kind === 'tasks-json') await write(source.plan);
  else await sayUsed(source);
}

async function chooseSource(sources: readonly ImportSource[]): Promise<ImportSource | undefined> {
  if (sources.length === 1) return sources[0];
  const picked = await vscode.window.showQuickPick(sources.map(importRow), {
    placeHolder: l10n.t('Take over the tasks of what?'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.source;
}

async function offerNewPlan({ name }: vscode.WorkspaceFolder): Promise<void> {
  const writeOne = l10n.t('New Plan');
  const message = l10n.t(
    'There is nothing to import in {0}: no .vscode/tasks.json and no board of kanban-md.',
    name,
  );
  const chosen = await showInformation(message, writeOne);
  if (chosen === writeOne) await vscode.commands.executeCommand('interlock.plan.new');
}

async function sayUsed({
  path,
  taskCount,
}: Extract<ImportSource, { kind: 'board' }>): Promise<void> {
  const showTasks = l10n.t('Show Tasks');
  const message = l10n.t(
    'The board {0} is a plan as it is: its {1} tasks are in the Tasks view, and nothing has to be imported.',
    path,
    taskCount,
  );
  const chosen = await showInformation(message, showTasks);
  if (chosen === showTasks) await vscode.commands.executeCommand('interlock.tasks.focus');
}

/** Also plans without tasks, which no view can show. */
async function openPlan({ plans }: Window): Promise<void> {
  const inFolder = foldersOf(plans.all);
  const rows = plans.all.flatMap(({ folderUri, plans: found }) =>
    found.map((plan) => planRow(plan, inFolder({ folderUri }, plan.path))),
  );
  if (rows.length === 0) {
    void showInformation(l10n.t('There is no plan to open yet.'));
    return;
  }
  const placeHolder = l10n.t('Open which plan?');
  const row =
    rows.length === 1 ? rows[0] : await vscode.window.showQuickPick(rows, { placeHolder });
  if (row === undefined) return;
  const { plan } = row;
  await vscode.window.showTextDocument(vscode.Uri.parse(plan.uri));
}

/** Nothing that is there is written over: a file that came meanwhile is shown as it is. */
async function write({ uri, text, line, character }: NewPlanText): Promise<void> {
  const file = vscode.Uri.parse(uri);
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(file, { overwrite: false, contents: new TextEncoder().encode(text) });
  const isWritten = await vscode.workspace.applyEdit(edit);
  const place = new vscode.Position(isWritten ? line : 0, isWritten ? character : 0);
  const selection = new vscode.Range(place, place);
  await vscode.window.showTextDocument(file, { selection, preview: false });
}
