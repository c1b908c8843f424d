import * as l10n from '@vscode/l10n';
import { showInformation } from '../show-message.ts';

/**
 * Of what a command was called for. Nothing else is done in its place: whoever pointed at a row that has
 * gone since wants nothing of the others.
 */
export function sayGone(): undefined {
  void showInformation(
    l10n.t('Nothing was done: what this was meant for is not there, or not any more.'),
  );
}
