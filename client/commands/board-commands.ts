import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type BoardFolderReply, FIND_BOARD_FOLDER } from '../../protocol/board-folder.ts';
import type { FolderParams } from '../../protocol/tasks.ts';
import type { Part, Window } from '../window.ts';
import { chooseFolder, uriOf } from './choose-folder.ts';
import { showInformation, showWarning } from '../show-message.ts';

export const boardCommands: Part = (window) => ({
  'interlock.board.openFolder': async () => openBoardFolder(window),
});

/** Shows where the record of a folder is kept: in the file manager, where the editor has one. */
async function openBoardFolder({ server }: Window): Promise<void> {
  const folder = await chooseFolder(l10n.t('Open the board of which folder?'));
  if (folder === undefined) return;
  const params: FolderParams = { folderUri: uriOf(folder) };
  const reply = await server.ask<BoardFolderReply>(FIND_BOARD_FOLDER, params);
  if (reply.kind === 'refused') void showWarning(reply.message);
  else if (!reply.isThere)
    void showInformation(
      l10n.t('Nothing was kept for {0} yet. Its board will be in {1}.', folder.name, reply.path),
    );
  else if (hasFileManager())
    await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.parse(reply.uri));
  else await offer(folder.name, reply);
}

/** Files of another machine, and those behind a browser, are seen by the editor only. */
function hasFileManager(): boolean {
  return vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
}

async function offer(
  name: string,
  { path, uri }: { readonly path: string; readonly uri: string },
): Promise<void> {
  const open = l10n.t('Open in New Window');
  const copy = l10n.t('Copy Path');
  const message = l10n.t('The board of {0} is in {1}.', name, path);
  const chosen = await showInformation(message, open, copy);
  if (chosen === copy) await vscode.env.clipboard.writeText(path);
  if (chosen === open)
    await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.parse(uri), {
      forceNewWindow: true,
    });
}
