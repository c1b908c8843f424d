import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  ACT_ON_WORKER,
  TAKE_HOLD,
  type TakeHold,
  type WorkerAction,
  type WorkerReply,
  type WorkerView,
} from '../../protocol/workers.ts';
import type { ServerProcess } from '../server-process.ts';
import type { Part, Window } from '../window.ts';
import { chooseHold, chooseWorker } from './choose-worker.ts';
import { showWarning } from '../show-message.ts';

export const workerCommands: Part = (window) => ({
  'interlock.worker.drain': async (node) => drain(window, node),
  'interlock.worker.undrain': async (node) => undrain(window, node),
  'interlock.worker.wake': async (node) => wake(window, node),
  'interlock.worker.release': async (node) => release(window, node),
});

/** What a runner starts is drained with it. */
function mayBeDrained({ id }: WorkerView): boolean {
  return !id.startsWith('configured/');
}

async function drain({ server, workers }: Window, node: unknown): Promise<void> {
  const worker = await chooseWorker(workers, node, {
    placeHolder: l10n.t('Give which worker nothing new? It keeps what it has.'),
    isFit: (view) => mayBeDrained(view) && !view.isDrained,
  });
  if (worker !== undefined) await act(server, worker, 'drain');
}

async function undrain({ server, workers }: Window, node: unknown): Promise<void> {
  const worker = await chooseWorker(workers, node, {
    placeHolder: l10n.t('Give which worker tasks again?'),
    isFit: ({ isDrained }) => isDrained,
  });
  if (worker !== undefined) await act(server, worker, 'undrain');
}

async function wake({ server, workers }: Window, node: unknown): Promise<void> {
  const worker = await chooseWorker(workers, node, {
    placeHolder: l10n.t('Wake which agent? Whoever is idle hears again of what could be taken.'),
    isFit: (view) => view.kind === 'agent' && mayBeDrained(view) && view.state === 'idle',
  });
  if (worker !== undefined) await act(server, worker, 'wake');
}

async function act(
  server: ServerProcess,
  { folderUri, id }: WorkerView,
  action: WorkerAction['action'],
): Promise<void> {
  const params: WorkerAction = { folderUri, id, action };
  const { refusal } = await server.ask<WorkerReply>(ACT_ON_WORKER, params);
  if (refusal !== undefined) void showWarning(refusal);
}

/** Somebody loses what they have: what that means is said before it is done. */
async function release({ server, workers }: Window, node: unknown): Promise<void> {
  const held = await chooseHold(workers, node, {
    placeHolder: l10n.t('Take what away?'),
    isFit: ({ hold }) => hold.takingMeans !== undefined,
  });
  const detail = held?.hold.takingMeans;
  if (held === undefined || detail === undefined) return;
  const { worker, hold } = held;
  const question = worker.isYou
    ? l10n.t('Give "{0}" back?', hold.name)
    : l10n.t('Take "{0}" from {1}?', hold.name, worker.name);
  const take = worker.isYou ? l10n.t('Give Back') : l10n.t('Take Away');
  const chosen = await vscode.window.showWarningMessage(question, { modal: true, detail }, take);
  if (chosen !== take) return;
  const { folderUri, id } = worker;
  const params: TakeHold = { folderUri, id, key: hold.key };
  const { refusal } = await server.ask<WorkerReply>(TAKE_HOLD, params);
  if (refusal !== undefined) void showWarning(refusal);
}
