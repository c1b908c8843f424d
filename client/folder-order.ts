import * as vscode from 'vscode';
import type { Part } from './window.ts';

/** Folders are shown as the window has them, also when the user puts them in another order. */
export const folderOrder: Part = ({ context, tasks, workers, plans }) => {
  const arrange = (): void => {
    const uris = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString());
    for (const list of [tasks, workers, plans]) list.arrange(uris);
  };
  arrange();
  context.subscriptions.push(vscode.workspace.onDidChangeWorkspaceFolders(arrange));
  return {};
};
