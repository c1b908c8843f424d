import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  ASK_HOST_KEY,
  type HostKeyReply,
  type HostParams,
  TRUST_HOST_KEY,
  type TrustHostKey,
  type TrustReply,
} from '../../protocol/hosts.ts';
import { HostDocuments } from '../doctor/host-documents.ts';
import { showInformation, showWarning } from '../show-message.ts';
import { isActive } from '../views/task-tree-model.ts';
import type { Part, Window } from '../window.ts';
import { taskOf, workerOf } from './called-for.ts';
import { chooseHost, pickHost } from './choose-host.ts';
import { chooseTask } from './choose-task.ts';
import { runTasks } from './task-commands.ts';

export const hostCommands: Part = (window) => {
  const documents = new HostDocuments(window);
  window.context.subscriptions.push(documents);
  return {
    'interlock.task.runOnHost': async (node) => runOnHost(window, node),
    'interlock.host.check': async (node) => check(window, { node, documents }),
    'interlock.host.trustKey': async (node) => trustKey(window, node),
  };
};

/** From the row of a task, of a host, or of neither. */
async function runOnHost(window: Window, node: unknown): Promise<void> {
  const called = workerOf(window.workers, node);
  const named = called?.kind === 'host' ? called.name : undefined;
  const view = await chooseTask(window, called === undefined ? node : undefined, {
    placeHolder:
      named === undefined
        ? l10n.t('Run which task on a host?')
        : l10n.t('Run which task on {0}?', named),
    from: window.tasks.all.filter(({ doneBy }) => doneBy === 'command'),
  });
  if (view === undefined) return;
  const { folderUri, plan, id, state } = view;
  if (taskOf(window.tasks, view) !== undefined && isActive(state)) {
    void showInformation(l10n.t('"{0}" is in a run already.', id));
    return;
  }
  const host = named ?? (await pickHost(window, l10n.t('Run "{0}" on which host?', id)));
  if (host !== undefined) await runTasks(window.server, { folderUri, plan, ids: [id], on: host });
}

async function check(
  window: Window,
  { node, documents }: { readonly node: unknown; readonly documents: HostDocuments },
): Promise<void> {
  const host = await chooseHost(window, node, l10n.t('Look what is wrong with which host?'));
  if (host === undefined) return;
  if ((await documents.show(host)) === 'trust') await trustKeyOf(window, host);
}

async function trustKey(window: Window, node: unknown): Promise<void> {
  const host = await chooseHost(window, node, l10n.t('Trust the key of which host?'));
  if (host !== undefined) await trustKeyOf(window, host);
}

/** Nothing is written down before somebody has seen the fingerprint and said so. */
async function trustKeyOf({ server }: Window, host: string): Promise<void> {
  const params: HostParams = { host };
  const offer = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Window,
      title: l10n.t('Interlock asks {0} for its key…', host),
    },
    async () => await server.ask<HostKeyReply>(ASK_HOST_KEY, params),
  );
  if (offer.kind === 'refused') {
    void showWarning(offer.message);
    return;
  }
  if (offer.kind === 'known') {
    void showInformation(l10n.t('The key of {0} is known already.', host));
    return;
  }
  const { type, fingerprint, name, file } = offer;
  const trust = l10n.t('Trust');
  const question = l10n.t('Trust the key of {0}?', host);
  const detail = l10n.t(
    '{0} shows this {1} key, which nobody here knows:\n\n{2}\n\nCompare it with what whoever runs the host says. It will be written into {3}.',
    name,
    type,
    fingerprint,
    file,
  );
  const chosen = await vscode.window.showWarningMessage(question, { modal: true, detail }, trust);
  if (chosen !== trust) return;
  const wish: TrustHostKey = { host, fingerprint };
  const reply = await server.ask<TrustReply>(TRUST_HOST_KEY, wish);
  if (reply.kind === 'refused') void showWarning(reply.message);
  else void showInformation(l10n.t('The key of {0} is in {1} now.', host, reply.file));
}
