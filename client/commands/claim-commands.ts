import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  CLAIM_TASK,
  type ClaimableTask,
  type ClaimReply,
  END_CLAIM,
  type EndClaim,
  type EndClaimReply,
  LIST_CLAIMABLE,
} from '../../protocol/claims.ts';
import type { TaskKey } from '../../protocol/tasks.ts';
import { namesOf } from '../task-list.ts';
import { claimItems } from '../views/claim-items-model.ts';
import type { Part, Window } from '../window.ts';
import { isCalledFor, taskOf, workerOf } from './called-for.ts';
import { sayGone } from './say-gone.ts';
import { chooseHold } from './choose-worker.ts';
import { showBriefly, showInformation, showWarning } from '../show-message.ts';

export const claimCommands: Part = (window) => ({
  'interlock.task.claim': async (node) => claim(window, node),
  'interlock.task.release': async (node) => release(window, node),
  'interlock.task.complete': async (node) => complete(window, node),
  'interlock.task.fail': async (node) => fail(window, node),
});

async function claim({ server, tasks, workers }: Window, node: unknown): Promise<void> {
  const called = taskOf(tasks, node);
  // The row of whoever claims asks for what.
  const isAsking = !isCalledFor(node) || workerOf(workers, node) !== undefined;
  if (called === undefined && !isAsking) return sayGone();
  const task = called ?? (await pickClaimable(await server.ask(LIST_CLAIMABLE, {})));
  if (task === undefined) return;
  const key = namesOf(task);
  const { id } = key;
  const reply = await server.ask<ClaimReply>(CLAIM_TASK, key);
  if (reply.kind === 'refused') {
    void showWarning(reply.message);
    return;
  }
  // Its row has what ends it: buttons of a message would be there when it has ended, too.
  showBriefly(
    reply.expiresAt === undefined
      ? l10n.t('"{0}" is yours until you release it.', id)
      : l10n.t('"{0}" is yours, and renewed while a window of yours is open.', id),
  );
}

async function pickClaimable(
  claimable: readonly ClaimableTask[],
): Promise<ClaimableTask | undefined> {
  if (claimable.length === 0) {
    void showInformation(
      l10n.t('There is nothing to claim: no plan has a task for people that is not done or held.'),
    );
    return undefined;
  }
  const items = claimItems(claimable).map(({ isSection, ...item }) =>
    isSection ? { ...item, kind: vscode.QuickPickItemKind.Separator } : item,
  );
  const placeHolder = l10n.t('Claim which task? It is yours until you release it.');
  const picked = await vscode.window.showQuickPick(items, { placeHolder, matchOnDetail: true });
  return picked?.task;
}

async function release(window: Window, node: unknown): Promise<void> {
  const task = await chooseOwn(window, node, l10n.t('Release which of your tasks?'));
  if (task !== undefined) await end(window, { ...task, how: 'release' });
}

async function complete(window: Window, node: unknown): Promise<void> {
  const task = await chooseOwn(window, node, l10n.t('Which of your tasks is done?'));
  if (task !== undefined) await end(window, { ...task, how: 'complete' });
}

async function fail(window: Window, node: unknown): Promise<void> {
  const task = await chooseOwn(window, node, l10n.t('Which of your tasks cannot be done?'));
  if (task === undefined) return;
  const message = await vscode.window.showInputBox({
    prompt: l10n.t('Why can "{0}" not be done? It is kept with the task.', task.id),
  });
  if (message === undefined) return;
  await end(window, { ...task, how: 'fail', ...(message.trim() !== '' && { message }) });
}

async function chooseOwn(
  window: Window,
  node: unknown,
  placeHolder: string,
): Promise<TaskKey | undefined> {
  const held = await chooseHold(window, node, {
    placeHolder,
    isFit: ({ worker, hold }) => worker.isYou && hold.task !== undefined,
    none: l10n.t('You have no task. "Claim Task…" gives you one.'),
  });
  return held?.hold.task;
}

async function end({ server }: Pick<Window, 'server'>, params: EndClaim): Promise<void> {
  const { refusal } = await server.ask<EndClaimReply>(END_CLAIM, params);
  if (refusal !== undefined) void showWarning(refusal);
}
