import { type Connection, MessageType, ShowMessageNotification } from 'vscode-languageserver';
import {
  type ClientSettings,
  SETTINGS_CHANGED,
  TRUST_GRANTED,
} from '../../protocol/initialization.ts';
import type { UserHosts } from '../board/host-ports.ts';
import type { LiveFiles } from './ownership/live-files.ts';
import { tellResumed } from './resumption.ts';
import type { Workspace } from './workspace.ts';

/** What the user decides once for everything: whether the workspace is trusted, and their settings. */
export function registerUserHandlers(
  connection: Connection,
  workspace: Workspace,
  { live, hosts }: { readonly live: LiveFiles; readonly hosts: UserHosts },
): void {
  connection.onNotification(TRUST_GRANTED, async () => {
    await workspace.trust();
    tellResumed(connection, workspace);
  });
  connection.onNotification(SETTINGS_CHANGED, (settings: ClientSettings) => {
    live.rename(settings);
    configureHosts(hosts, settings);
  });
}

/** Before anything is run; what no editor says is as one said it last. */
export function configureHosts(hosts: UserHosts, settings: ClientSettings): void {
  if (settings.hosts !== undefined) hosts.configure(settings.hosts);
}

/** What is wrong with hosts is said once, until it is something else. */
export function tellHostProblems(connection: Connection, hosts: UserHosts): Disposable {
  let told: readonly string[] = [];
  const tell = (): void => {
    for (const message of hosts.problems)
      if (!told.includes(message))
        void connection.sendNotification(ShowMessageNotification.type, {
          type: MessageType.Warning,
          message,
        });
    told = hosts.problems;
  };
  tell();
  return hosts.onChanged(tell);
}
