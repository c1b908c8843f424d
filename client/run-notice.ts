import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { RUN_FINISHED, type RunFinished } from '../protocol/runs.ts';
import type { Part } from './window.ts';

/** One message for a run that needs the user; a run that went well is seen in the view. */
export const runNotices: Part = ({ server }) => {
  server.on<RunFinished>(RUN_FINISHED, (run) => void showRunNotice(run));
  return {};
};

async function showRunNotice(run: RunFinished): Promise<void> {
  const message = messageOf(run);
  if (message === undefined) return;
  const show = l10n.t('Show Tasks');
  const chosen = await vscode.window.showWarningMessage(message, show);
  if (chosen === show) await vscode.commands.executeCommand('interlock.tasks.focus');
}

function messageOf(run: RunFinished): string | undefined {
  switch (run.outcome) {
    case 'failed':
      return l10n.t(
        '{0} failed in {1}; {2} completed, {3} skipped.',
        run.failedIds.join(', '),
        run.plan,
        run.completedCount,
        run.skippedCount,
      );
    case 'deadlocked':
      return l10n.t(
        '{0} ended with tasks that can never start; {1} completed.',
        run.plan,
        run.completedCount,
      );
    case 'completed':
    case 'cancelled':
    case 'superseded':
      return undefined;
    default:
      return run.outcome satisfies never;
  }
}
