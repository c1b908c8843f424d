import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { TaskView } from '../../protocol/tasks.ts';

export function iconOf({
  icon,
  color,
}: {
  readonly icon: string;
  readonly color: string | undefined;
}): vscode.ThemeIcon {
  return new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
}

/** Opens plans where the ids of their tasks are written. */
export class PlanOpener {
  readonly #title = l10n.t('Open in Plan');
  /** One that was read last: rows of one plan come one after the other. */
  #plan: { readonly text: string; readonly uri: vscode.Uri } | undefined;

  at({ planUri, line, character }: TaskView): vscode.Command {
    if (this.#plan?.text !== planUri)
      this.#plan = { text: planUri, uri: vscode.Uri.parse(planUri) };
    const start = new vscode.Position(line, character);
    const selection = new vscode.Range(start, start);
    return {
      command: 'vscode.open',
      title: this.#title,
      arguments: [this.#plan.uri, { selection }],
    };
  }
}
