import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { refuseRuntime } from '../protocol/runtime.ts';
import { BoardTrouble } from './board-trouble.ts';
import { registerCommands } from './commands/registry.ts';
import { keepLists } from './lists.ts';
import { PARTS } from './parts.ts';
import { ServerProcess } from './server-process.ts';
import { UnsavedDocuments } from './unsaved-documents.ts';
import type { Window } from './window.ts';
import { showError } from './show-message.ts';

let server: ServerProcess | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  if (vscode.l10n.bundle !== undefined) l10n.config({ contents: vscode.l10n.bundle });
  const log = vscode.window.createOutputChannel('Interlock', { log: true });
  const running = new ServerProcess(context.asAbsolutePath('dist/server.js'), log);
  const lists = keepLists(running);
  const trouble = new BoardTrouble(running, lists.tasks);
  context.subscriptions.push(log, trouble, new UnsavedDocuments(running));
  const window: Window = { context, log, server: running, ...lists, trouble };
  for (const part of PARTS) context.subscriptions.push(...registerCommands(part(window)));
  const refusal = refuseRuntime(process.versions);
  if (refusal !== undefined) {
    trouble.report(refusal);
    void showError(refusal);
    return;
  }
  server = running;
  context.subscriptions.push(
    vscode.workspace.onDidGrantWorkspaceTrust(() => void running.grantTrust()),
  );
  await running.start();
}

/** VS Code waits for this, so that running tasks can be stopped in good order. */
export async function deactivate(): Promise<void> {
  await server?.stop();
}
