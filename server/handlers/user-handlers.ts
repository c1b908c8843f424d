import type { Connection } from 'vscode-languageserver';
import {
  type ClientSettings,
  SETTINGS_CHANGED,
  TRUST_GRANTED,
} from '../../protocol/initialization.ts';
import type { LiveFiles } from './ownership/live-files.ts';
import { tellResumed } from './resumption.ts';
import type { Workspace } from './workspace.ts';

/** What the user decides once for everything: whether the workspace is trusted, and their settings. */
export function registerUserHandlers(
  connection: Connection,
  workspace: Workspace,
  live: LiveFiles,
): void {
  connection.onNotification(TRUST_GRANTED, async () => {
    await workspace.trust();
    tellResumed(connection, workspace);
  });
  connection.onNotification(SETTINGS_CHANGED, (settings: ClientSettings) => live.rename(settings));
}
