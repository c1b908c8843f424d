import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { FIND_SESSION, type FindSession, type SessionReply } from '../../protocol/hosts.ts';
import { showInformation } from '../show-message.ts';
import type { Part, Window } from '../window.ts';
import { holdOf, taskOf } from './called-for.ts';
import { chooseTask } from './choose-task.ts';

type Mode = FindSession['mode'];

/** Terminals that show sessions: closing one ends nothing but the looking. */
export const sessionCommands: Part = (window) => {
  const shown = new Map<string, vscode.Terminal>();
  window.context.subscriptions.push(
    vscode.window.onDidCloseTerminal((closed) => {
      for (const [key, terminal] of shown) if (terminal === closed) shown.delete(key);
    }),
  );
  return {
    'interlock.session.attach': async (node) => attach(window, { node, mode: 'read', shown }),
    'interlock.session.attachAndType': async (node) =>
      attach(window, { node, mode: 'write', shown }),
  };
};

async function attach(
  window: Window,
  {
    node,
    mode,
    shown,
  }: { readonly node: unknown; readonly mode: Mode; readonly shown: Map<string, vscode.Terminal> },
): Promise<void> {
  const { tasks, server } = window;
  const named = taskOf(tasks, node) ?? holdOf(window, node)?.hold.task;
  const view = await chooseTask(window, named ?? node, {
    placeHolder: l10n.t('Look into the session of which task?'),
    from: tasks.all.filter(({ doneBy, attempt }) => doneBy === 'command' && attempt > 0),
  });
  if (view === undefined) return;
  if (!vscode.workspace.isTrusted) {
    void showInformation(l10n.t('Trust this folder to look into its sessions.'));
    return;
  }
  const { folderUri, plan, id } = view;
  const params: FindSession = { folderUri, plan, id, mode };
  const found = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: l10n.t('Interlock looks for the session…') },
    async () => await server.ask<SessionReply>(FIND_SESSION, params),
  );
  if (found.kind === 'refused') {
    void showInformation(found.message);
    return;
  }
  const key = `${mode} ${found.name}`;
  const terminal = shown.get(key) ?? open(found, { id, mode });
  shown.set(key, terminal);
  terminal.show(mode === 'read');
}

function open(
  { file, args }: Extract<SessionReply, { kind: 'found' }>,
  { id, mode }: { readonly id: string; readonly mode: Mode },
): vscode.Terminal {
  return vscode.window.createTerminal({
    name: mode === 'read' ? l10n.t('{0} (only looking)', id) : id,
    shellPath: file,
    shellArgs: [...args],
    iconPath: new vscode.ThemeIcon(mode === 'read' ? 'eye' : 'terminal-tmux'),
    // Another window finds the session by itself.
    isTransient: true,
  });
}
