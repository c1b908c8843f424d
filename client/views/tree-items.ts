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

/** Where the id of a task is written. */
export function openInPlan({ planUri, line, character }: TaskView): vscode.Command {
  const start = new vscode.Position(line, character);
  return {
    command: 'vscode.open',
    title: l10n.t('Open in Plan'),
    arguments: [vscode.Uri.parse(planUri), { selection: new vscode.Range(start, start) }],
  };
}
