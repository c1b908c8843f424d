import * as l10n from '@vscode/l10n';
import { errorText } from '../error-text.ts';
import { showError } from '../show-message.ts';

/** Of what the user has asked for: once, and never lost. */
export function sayFailure(error: unknown): void {
  void showError(l10n.t('Interlock: {0}', errorText(error)));
}
