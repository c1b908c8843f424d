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
import { mayBeDrained, workerName } from '../views/workers-model.ts';
import type { Part, Window } from '../window.ts';
import { chooseHold, chooseWorker } from './choose-worker.ts';
import { showBriefly, showInformation, showWarning } from '../show-message.ts';

export const workerCommands: Part = (window) => ({
  'interlock.worker.drain': async (node) => drain(window, node),
  'interlock.worker.undrain': async (node) => undrain(window, node),
  'interlock.worker.wake': async (node) => wake(window, node),
  'interlock.worker.release': async (node) => release(window, node),
});

async function drain(window: Window, node: unknown): Promise<void> {
  const worker = await chooseWorker(window, node, {
    placeHolder: l10n.t('Give which worker nothing new? It keeps what it has.'),
    isFit: (view) => mayBeDrained(view) && !view.isDrained,
    none: l10n.t('Every worker is drained already.'),
  });
  if (worker !== undefined) await act(window, worker, 'drain');
}

async function undrain(window: Window, node: unknown): Promise<void> {
  const worker = await chooseWorker(window, node, {
    placeHolder: l10n.t('Give which worker tasks again?'),
    isFit: ({ isDrained }) => isDrained,
    none: l10n.t('No worker is drained.'),
  });
  if (worker !== undefined) await act(window, worker, 'undrain');
}

async function wake(window: Window, node: unknown): Promise<void> {
  const worker = await chooseWorker(window, node, {
    placeHolder: l10n.t('Wake which agent? Whoever is idle hears again of what could be taken.'),
    isFit: (view) => view.kind === 'agent' && mayBeDrained(view) && view.state === 'idle',
    none: l10n.t('No agent is idle: there is nobody to wake.'),
  });
  if (worker === undefined || !(await act(window, worker, 'wake'))) return;
  // Nothing changes at its row.
  showBriefly(l10n.t('{0} hears again of what could be taken.', workerName(worker)));
}

/** Answers whether it was done. */
async function act(
  { server }: Window,
  { folderUri, id }: WorkerView,
  action: WorkerAction['action'],
): Promise<boolean> {
  const params: WorkerAction = { folderUri, id, action };
  const { refusal } = await server.ask<WorkerReply>(ACT_ON_WORKER, params);
  if (refusal !== undefined) void showWarning(refusal);
  return refusal === undefined;
}

/** Somebody loses what they have: what that means is said before it is done. */
async function release(window: Window, node: unknown): Promise<void> {
  const held = await chooseHold(window, node, {
    placeHolder: l10n.t('Take what away?'),
    isFit: ({ hold }) => hold.takingMeans !== undefined,
    none: l10n.t('No worker has anything that can be taken away.'),
  });
  if (held === undefined) return;
  const { worker, hold } = held;
  const detail = hold.takingMeans;
  if (detail === undefined) {
    void showInformation(
      l10n.t('"{0}" is open in an editor. Ask its person to let go of it.', hold.name),
    );
    return;
  }
  const question = worker.isYou
    ? l10n.t('Release "{0}"?', hold.name)
    : l10n.t('Take "{0}" from {1}?', hold.name, workerName(worker));
  const take = worker.isYou ? l10n.t('Release') : l10n.t('Take Away');
  const chosen = await vscode.window.showWarningMessage(question, { modal: true, detail }, take);
  if (chosen !== take) return;
  const { folderUri, id } = worker;
  const params: TakeHold = { folderUri, id, key: hold.key };
  const { refusal } = await window.server.ask<WorkerReply>(TAKE_HOLD, params);
  if (refusal !== undefined) void showWarning(refusal);
}
