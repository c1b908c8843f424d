import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { showInformation } from '../show-message.ts';

/** The folder that a command is about; asks where there are several. */
export async function chooseFolder(
  placeHolder: string,
): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(isOnDisk);
  if (folders.length === 0)
    void showInformation(l10n.t('Open a folder first: a plan belongs to the folder it lies in.'));
  if (folders.length <= 1) return folders[0];
  const picked = await vscode.window.showWorkspaceFolderPick({ placeHolder });
  if (picked === undefined || isOnDisk(picked)) return picked;
  void showInformation(
    l10n.t('"{0}" is on no disk of this machine, and has no plans.', picked.name),
  );
  return undefined;
}

/** Of a folder that some extension makes up, the server is told nothing. */
function isOnDisk({ uri }: vscode.WorkspaceFolder): boolean {
  return uri.scheme === 'file';
}

/** As the server was told of it. */
export function uriOf(folder: vscode.WorkspaceFolder): string {
  return folder.uri.toString();
}
