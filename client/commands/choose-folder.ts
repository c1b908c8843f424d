import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { showInformation } from '../show-message.ts';

/** The folder that a command is about; asks where there are several. */
export async function chooseFolder(
  placeHolder: string,
): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0)
    void showInformation(l10n.t('Open a folder first: a plan belongs to the folder it lies in.'));
  if (folders.length <= 1) return folders[0];
  return await vscode.window.showWorkspaceFolderPick({ placeHolder });
}

/** As the server was told of it. */
export function uriOf(folder: vscode.WorkspaceFolder): string {
  return folder.uri.toString();
}
