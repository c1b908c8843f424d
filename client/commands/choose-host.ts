import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type HostsReply, LIST_HOSTS } from '../../protocol/hosts.ts';
import { showInformation, showWarning } from '../show-message.ts';
import { withoutIcons } from '../text-of-others.ts';
import { workerRow } from '../views/workers-model.ts';
import type { Window } from '../window.ts';
import { isCalledFor, workerOf } from './called-for.ts';
import { sayGone } from './say-gone.ts';

/** The host that a command was called for, or one of the settings that is picked. */
export async function chooseHost(
  window: Window,
  argument: unknown,
  placeHolder: string,
): Promise<string | undefined> {
  const called = workerOf(window.workers, argument);
  if (called?.kind === 'host') return called.name;
  if (called === undefined && isCalledFor(argument) && !isGroup(argument)) return sayGone();
  return await pickHost(window, placeHolder);
}

export async function pickHost(
  { server, workers }: Window,
  placeHolder: string,
): Promise<string | undefined> {
  const { hosts, problems } = await server.ask<HostsReply>(LIST_HOSTS, {});
  for (const problem of problems) void showWarning(problem);
  if (hosts.length === 0) {
    if (problems.length === 0) void sayNone();
    return undefined;
  }
  const items = hosts.map(({ name, ssh }) => {
    const view = workers.all.find((each) => each.kind === 'host' && each.name === name);
    const row = view && workerRow(view, workers.now);
    return {
      host: name,
      label: `$(${row?.icon ?? 'remote'}) ${withoutIcons(name)}`,
      description: withoutIcons(row?.description ?? ''),
      ...(ssh !== name && { detail: withoutIcons(ssh) }),
    };
  });
  const options = { placeHolder, matchOnDescription: true, matchOnDetail: true };
  return (await vscode.window.showQuickPick(items, options))?.host;
}

/** The row of all hosts stands for none of them. */
function isGroup(argument: unknown): boolean {
  return (
    typeof argument === 'object' &&
    argument !== null &&
    'kind' in argument &&
    argument.kind === 'hosts'
  );
}

async function sayNone(): Promise<void> {
  const open = l10n.t('Open Settings');
  const message = l10n.t('There are no hosts in your settings: "interlock.hosts" names them.');
  if ((await showInformation(message, open)) === open)
    await vscode.commands.executeCommand('workbench.action.openSettings', 'interlock.hosts');
}
