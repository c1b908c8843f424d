import * as vscode from 'vscode';
import type { Part } from '../window.ts';
import { type EmptyBecause, emptyBecause, type WhatIsThere } from './welcome-model.ts';

/** Says by context keys which text of the manifest stands in the Tasks view while it is empty. */
export const welcome: Part = ({ context, plans, server, tasks }) => {
  let state: WhatIsThere['server'] = 'starting';
  let sent: EmptyBecause | '' | undefined;
  const look = (): void => {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(
      ({ uri }) => uri.scheme === 'file',
    );
    const because = emptyBecause({
      server: state,
      taskCount: tasks.size,
      folderCount: folders.length,
      read: plans.all,
    });
    if (sent === (because ?? '')) return;
    sent = because ?? '';
    void vscode.commands.executeCommand('setContext', 'interlock.empty', sent);
  };
  const turn = (next: WhatIsThere['server']): void => {
    state = next;
    look();
  };
  server.onStarting(() => turn('starting'));
  server.onStarted(() => turn('running'));
  server.onStopped(() => turn('stopped'));
  tasks.onChange(look);
  plans.onChange(() => {
    const hasPlan = plans.all.some((folder) => folder.plans.length > 0);
    void vscode.commands.executeCommand('setContext', 'interlock.hasPlan', hasPlan);
    look();
  });
  context.subscriptions.push(
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      const open = new Set(vscode.workspace.workspaceFolders?.map(({ uri }) => uri.toString()));
      plans.keep((folderUri) => open.has(folderUri));
    }),
  );
  return {};
};
