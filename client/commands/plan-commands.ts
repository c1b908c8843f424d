import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { STARTER_PLAN } from '../../protocol/starter-plan.ts';
import type { Part } from '../window.ts';

export const planCommands: Part = () => ({ 'interlock.plan.new': newPlan });

/** Opens the folder's plan, and writes a small one that runs where there is none yet. */
async function newPlan(): Promise<void> {
  const folder = await pickFolder();
  if (folder === undefined) return;
  const uri = vscode.Uri.joinPath(folder.uri, 'interlock.yaml');
  if (!(await exists(uri)))
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(STARTER_PLAN));
  await vscode.window.showTextDocument(uri);
}

async function pickFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0)
    throw new Error(l10n.t('Open a folder first: a plan belongs to the folder it lies in.'));
  if (folders.length === 1) return folders[0];
  return await vscode.window.showWorkspaceFolderPick({
    placeHolder: l10n.t('Which folder is the plan for?'),
  });
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
