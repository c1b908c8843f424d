import * as vscode from 'vscode';
import type { RunFinished } from '../protocol/runs.ts';

/** One message for a run that needs the user; a run that went well is seen in the view. */
export async function showRunNotice(run: RunFinished): Promise<void> {
  if (run.outcome !== 'failed') return;
  const show = vscode.l10n.t('Show Tasks');
  const message = vscode.l10n.t(
    '{0} failed in {1}; {2} completed, {3} skipped.',
    run.failedIds.join(', '),
    run.plan,
    run.completedCount,
    run.skippedCount,
  );
  const chosen = await vscode.window.showWarningMessage(message, show);
  if (chosen === show) await vscode.commands.executeCommand('interlock.tasks.focus');
}
