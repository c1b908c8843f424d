import * as vscode from 'vscode';
import { refuseRuntime } from '../protocol/runtime.ts';
import { planCommands } from './commands/plan-commands.ts';
import { registerCommands } from './commands/registry.ts';
import { serverCommands } from './commands/server-commands.ts';
import { taskCommands } from './commands/task-commands.ts';
import { keepContextKeys } from './context-keys.ts';
import { showRunNotice } from './run-notice.ts';
import { ServerProcess } from './server-process.ts';
import { TaskList } from './task-list.ts';
import { UnsavedDocuments } from './unsaved-documents.ts';
import { OwnerBadges } from './views/owner-badges.ts';
import { StatusBar } from './views/status-bar.ts';
import { TaskTree } from './views/task-tree.ts';

let server: ServerProcess | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel('Interlock', { log: true });
  const tasks = new TaskList();
  const tree = new TaskTree(tasks);
  const statusBar = new StatusBar(tasks);
  keepContextKeys(tasks);
  const showProblem = (message: string | undefined): void => {
    tree.showMessage(message ?? trustHint());
    statusBar.showProblem(message);
  };
  const refusal = refuseRuntime(process.versions);
  if (refusal !== undefined) {
    showProblem(refusal);
    void vscode.window.showErrorMessage(refusal);
    return;
  }
  const running = new ServerProcess(context.asAbsolutePath('dist/server.js'), log, {
    started: () => unsaved.tellAll(),
    // What it said of itself is over with it; a new one says again what is wrong.
    stopped: () => {
      tasks.clear();
      showProblem(undefined);
    },
    tasksChanged: (changes) => tasks.apply(changes),
    runFinished: (run) => void showRunNotice(run),
    boardProblem: ({ message }) => showProblem(message),
  });
  server = running;
  const unsaved = new UnsavedDocuments((params) => running.tellUnsaved(params));
  context.subscriptions.push(
    log,
    tree,
    statusBar,
    unsaved,
    new OwnerBadges(),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      showProblem(undefined);
      void running.grantTrust();
    }),
    ...registerCommands({
      ...taskCommands({ server: running, tasks }),
      ...planCommands,
      ...serverCommands(running, log),
    }),
  );
  showProblem(undefined);
  await running.start();
}

/** VS Code waits for this, so that running tasks can be stopped in good order. */
export async function deactivate(): Promise<void> {
  await server?.stop();
}

/** Why everything that runs is grey, and the way out. */
function trustHint(): string | undefined {
  if (vscode.workspace.isTrusted) return undefined;
  return vscode.l10n.t(
    'Tasks are shown and not run until you trust this folder: "Workspaces: Manage Workspace Trust".',
  );
}
