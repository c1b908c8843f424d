import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ExampleToShow } from '../example-to-show.ts';
import { Tour } from '../tour.ts';
import type { Part } from '../window.ts';
import { sayFailure } from './say-failure.ts';

const NAME = 'interlock-example';

export const exampleCommands: Part = (window) => {
  const { context } = window;
  const tour = new Tour(window);
  const toShow = new ExampleToShow(context.globalState);
  context.subscriptions.push(toShow);
  toShow.showIfOpened().catch(sayFailure);
  return {
    'interlock.example.open': async () => openExample(context, toShow),
    'interlock.walkthrough.open': async () => tour.open(),
  };
};

/** Copies the example, so that whatever is tried there changes nothing of the user's. */
async function openExample(
  { extensionUri, globalStorageUri }: vscode.ExtensionContext,
  toShow: ExampleToShow,
): Promise<void> {
  const parent = await chooseParent(globalStorageUri);
  if (parent === undefined) return;
  const folder = await freeFolder(parent);
  await vscode.workspace.fs.copy(vscode.Uri.joinPath(extensionUri, 'examples'), folder, {
    overwrite: false,
  });
  await toShow.remember(folder);
  const forceNewWindow = (vscode.workspace.workspaceFolders ?? []).length > 0;
  await vscode.commands.executeCommand('vscode.openFolder', folder, { forceNewWindow });
}

async function chooseParent(own: vscode.Uri): Promise<vscode.Uri | undefined> {
  const choose = {
    label: `$(folder-opened) ${l10n.t('Choose a Folder…')}`,
    detail: l10n.t('The example is copied into a new folder there.'),
  };
  const tryIt = {
    label: `$(beaker) ${l10n.t('Only Try It')}`,
    detail: l10n.t('The example is copied to where the extension keeps its own files.'),
  };
  const placeHolder = l10n.t('Where is the example to be copied to?');
  const picked = await vscode.window.showQuickPick([tryIt, choose], { placeHolder });
  if (picked !== choose) return picked && own;
  const folders = await vscode.window.showOpenDialog({
    canSelectFiles: false,
    canSelectFolders: true,
    openLabel: l10n.t('Copy the Example Here'),
  });
  return folders?.[0];
}

/** What is there already may have been worked on. */
async function freeFolder(parent: vscode.Uri): Promise<vscode.Uri> {
  for (let count = 1; ; count += 1) {
    const folder = vscode.Uri.joinPath(parent, count === 1 ? NAME : `${NAME}-${count}`);
    if (!(await exists(folder))) return folder;
  }
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
