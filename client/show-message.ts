import * as vscode from 'vscode';
import { withoutLinks } from './text-of-others.ts';

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
