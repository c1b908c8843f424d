import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type AttemptView, LIST_ATTEMPTS } from '../../protocol/logs.ts';
import { attemptItems, isChoice } from '../logs/attempts-model.ts';
import { LiveTerminals } from '../logs/live-terminals.ts';
import { LogDocuments } from '../logs/log-documents.ts';
import { LogReaders } from '../logs/log-readers.ts';
import { PlanTasks, TASK_TYPE } from '../logs/task-provider.ts';
import { namesOf } from '../task-list.ts';
import type { Part, Window } from '../window.ts';
import { isCalledFor } from './called-for.ts';
import { chooseTask } from './choose-task.ts';
import { showInformation } from '../show-message.ts';

/** What tasks print: as documents, as terminals, and as tasks of the editor. */
export const logCommands: Part = (window) => {
  const { context, server } = window;
  const readers = new LogReaders(server);
  const documents = new LogDocuments(window, readers);
  const terminals = new LiveTerminals(window, readers);
  context.subscriptions.push(
    documents,
    terminals,
    vscode.tasks.registerTaskProvider(TASK_TYPE, new PlanTasks(server, readers)),
  );
  return {
    'interlock.task.showLog': async (node) => showLog(window, documents, node),
    'interlock.task.openTerminal': async (node) => openTerminal(window, terminals, node),
  };
};

async function showLog(window: Window, documents: LogDocuments, node: unknown): Promise<void> {
  const { server } = window;
  const placeHolder = l10n.t('Show the log of which task?');
  const view = await chooseTask(window, node, { placeHolder });
  if (view === undefined) return;
  const task = namesOf(view);
  const { id } = task;
  const attempts = await server.ask<readonly AttemptView[]>(LIST_ATTEMPTS, task);
  if (attempts.length === 0) {
    void showInformation(l10n.t('"{0}" has not printed anything yet.', id));
    return;
  }
  const attempt = isChoice(attempts, isCalledFor(node))
    ? await pickAttempt(id, attempts)
    : attempts[0];
  if (attempt !== undefined) await documents.show({ task, attempt });
}

async function pickAttempt(
  id: string,
  attempts: readonly AttemptView[],
): Promise<AttemptView | undefined> {
  const placeHolder = l10n.t('Show the log of which attempt at {0}?', id);
  const picked = await vscode.window.showQuickPick(attemptItems(attempts), { placeHolder });
  return picked?.attempt;
}

async function openTerminal(
  window: Window,
  terminals: LiveTerminals,
  node: unknown,
): Promise<void> {
  const view = await chooseTask(window, node, {
    placeHolder: l10n.t('Show which task in a terminal?'),
    from: window.tasks.all.filter(({ doneBy }) => doneBy === 'command'),
  });
  if (view !== undefined) terminals.show(view);
}
