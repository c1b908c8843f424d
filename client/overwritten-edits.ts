import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { EDIT_OVERWRITTEN, type EditOverwritten } from '../protocol/documents.ts';
import { KeptTexts } from './kept-texts.ts';
import { showWarning } from './show-message.ts';
import { withoutIcons } from './text-of-others.ts';
import type { Part } from './window.ts';

const SCHEME = 'interlock-kept';

/** Keeps what a task wrote over, and brings it back. */
export const overwrittenEdits: Part = ({ server, context }) => {
  const kept = new KeptTexts();
  const provideTextDocumentContent = ({ query }: vscode.Uri): string => kept.get(query) ?? '';
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, { provideTextDocumentContent }),
    server.on<EditOverwritten>(EDIT_OVERWRITTEN, async (edit) => await offer(edit, kept)),
  );
  return {};
};

/** Says so until the user has brought it back, or closes the message. */
async function offer({ uri, by, text }: EditOverwritten, kept: KeptTexts): Promise<void> {
  const file = vscode.Uri.parse(uri);
  const name = withoutIcons(vscode.workspace.asRelativePath(file));
  const query = kept.add(text);
  const [compare, restore] = [l10n.t('Compare'), l10n.t('Restore')];
  for (;;) {
    const message = l10n.t('{0} overwrote your edit of {1}.', withoutIcons(by), name);
    const chosen = await showWarning(message, compare, restore);
    if (chosen === restore) return await bringBack(file, text);
    if (chosen !== compare) return;
    const title = l10n.t('{0}: Your Edit ↔ Now', name);
    const mine = file.with({ scheme: SCHEME, query });
    await vscode.commands.executeCommand('vscode.diff', mine, file, title);
  }
}

/** As a change that is not saved, which can be undone. */
async function bringBack(file: vscode.Uri, text: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(file);
  const end = document.lineAt(document.lineCount - 1).range.end;
  const edit = new vscode.WorkspaceEdit();
  edit.replace(file, new vscode.Range(new vscode.Position(0, 0), end), text);
  await vscode.workspace.applyEdit(edit);
  await vscode.window.showTextDocument(document, { preview: false });
}
