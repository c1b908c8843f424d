import { type Connection, type Location, ShowDocumentRequest } from 'vscode-languageserver';
import { UNSAVED_CHANGED, type UnsavedChanged } from '../../../protocol/documents.ts';
import type { Workspace } from '../workspace.ts';
import { HAZARD_COMMANDS, HazardActions } from './hazard-actions.ts';
import type { LiveFiles } from './live-files.ts';
import type { ShowMessage } from './person-notices.ts';

/** What a client may ask about files that somebody else has. */
export function registerOwnershipHandlers(
  connection: Connection,
  live: LiveFiles,
  workspace: Workspace,
): void {
  const actionsNow = (): HazardActions => {
    const canShow = workspace.client.window?.showDocument?.support === true;
    const showDocument = canShow ? async (at: Location) => await openAt(connection, at) : undefined;
    return new HazardActions({ live, show: showMessagesIn(connection), showDocument });
  };
  workspace.fixes.push((uri, diagnostics) => actionsNow().at(uri, diagnostics));
  for (const command of HAZARD_COMMANDS)
    workspace.commands.set(command, ([uri, key]) => {
      if (typeof uri !== 'string' || typeof key !== 'string') return;
      // Whoever is asked something takes the time it takes.
      actionsNow()
        .perform(command, uri, key)
        .catch((error: unknown) => connection.console.error(String(error)));
    });
  connection.onNotification(UNSAVED_CHANGED, (params: UnsavedChanged) => live.told(params));
  connection.workspace.onDidRenameFiles(() => live.placeAnew());
}

/** A client that goes meanwhile has chosen nothing. */
export function showMessagesIn({ window }: Connection): ShowMessage {
  return async (kind, text, choices) => {
    // An editor may make a link of `[words](command:…)`, and files can be called so.
    const message = text.replaceAll('](', '] (');
    const actions = choices.map((title) => ({ title }));
    try {
      const chosen =
        kind === 'warning'
          ? await window.showWarningMessage(message, ...actions)
          : await window.showInformationMessage(message, ...actions);
      return chosen?.title;
    } catch {
      return undefined;
    }
  };
}

async function openAt(connection: Connection, { uri, range }: Location): Promise<void> {
  const params = { uri, selection: range, takeFocus: true };
  await connection.sendRequest(ShowDocumentRequest.type, params);
}
