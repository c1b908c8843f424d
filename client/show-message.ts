import * as vscode from 'vscode';
import { withoutIcons, withoutLinks } from './text-of-others.ts';

/** Messages of the editor that show what they say: a link in one could run any command. */
export async function showInformation(
  message: string,
  ...actions: readonly string[]
): Promise<string | undefined> {
  return await vscode.window.showInformationMessage(withoutLinks(message), ...actions);
}

export async function showWarning(
  message: string,
  ...actions: readonly string[]
): Promise<string | undefined> {
  return await vscode.window.showWarningMessage(withoutLinks(message), ...actions);
}

export async function showError(message: string): Promise<void> {
  await vscode.window.showErrorMessage(withoutLinks(message));
}

/** What is true now and need not be answered: it goes by itself, as no message does. */
export function showBriefly(message: string): void {
  vscode.window.setStatusBarMessage(withoutIcons(message), BRIEFLY_MS);
}

const BRIEFLY_MS = 5000;
