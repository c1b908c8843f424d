import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { errorText } from '../error-text.ts';

/** Of what the user has asked for: once, and never lost. */
export function sayFailure(error: unknown): void {
  void vscode.window.showErrorMessage(l10n.t('Interlock: {0}', errorText(error)));
}
