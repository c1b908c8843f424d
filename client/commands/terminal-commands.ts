import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  OFFER_TERMINALS,
  OPEN_TERMINAL,
  type OpenTerminal,
  type TerminalsOffer,
} from '../../protocol/terminals.ts';
import { keyOf } from '../task-list.ts';
import { TaskTerminals } from '../terminals.ts';
import { userSettings } from '../user-settings.ts';
import type { Part, Window } from '../window.ts';
import { chooseTask } from './choose-task.ts';
import { runTasks } from './task-commands.ts';
import { showInformation } from '../show-message.ts';

/**
 * Terminals in which tasks run. VS Code keeps them while the window is reloaded, and what runs in them
 * asks nobody here: so they are only opened, found again and shown.
 */
export const terminalCommands: Part = (window) => {
  const { server, context } = window;
  /** Those that the user has just asked for, and wants to type into. */
  const wanted = new Set<string>();
  const terminals = new TaskTerminals(context);
  const open = async (task: OpenTerminal): Promise<void> => {
    const terminal = await terminals.open(task);
    terminal.show(!wanted.delete(keyOf(task)));
  };
  const offer = (): void => server.tell(OFFER_TERMINALS, userSettings() satisfies TerminalsOffer);
  server.onStarted(offer);
  context.subscriptions.push(
    terminals,
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('interlock.userName')) offer();
    }),
    server.on(OPEN_TERMINAL, (task: OpenTerminal) => {
      if (vscode.workspace.isTrusted) void open(task);
    }),
  );
  return {
    'interlock.task.runInTerminal': async (node) =>
      runInTerminal(window, { node, wanted, terminals }),
  };
};

async function runInTerminal(
  window: Window,
  {
    node,
    wanted,
    terminals,
  }: {
    readonly node: unknown;
    readonly wanted: Set<string>;
    readonly terminals: TaskTerminals;
  },
): Promise<void> {
  const view = await chooseTask(window, node, {
    placeHolder: l10n.t('Run which task in a terminal?'),
    from: window.tasks.all.filter(({ doneBy }) => doneBy === 'command'),
  });
  if (view === undefined) return;
  const { folderUri, plan, id, state } = view;
  const key = keyOf(view);
  if (state === 'running' || state === 'claimed') {
    showRunning(id, await terminals.find(key));
    return;
  }
  wanted.add(key);
  const isAccepted = await runTasks(window.server, { folderUri, plan, ids: [id], in: 'terminal' });
  if (!isAccepted) wanted.delete(key);
}

function showRunning(id: string, terminal: vscode.Terminal | undefined): void {
  if (terminal !== undefined) {
    terminal.show();
    return;
  }
  void showInformation(
    l10n.t('"{0}" is running already, and not in a terminal of this window.', id),
  );
}
