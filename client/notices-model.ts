import * as l10n from '@vscode/l10n';
import type { RunFinished } from '../protocol/runs.ts';
import type { TaskView } from '../protocol/tasks.ts';

export type NoticeSetting = 'all' | 'needsYou' | 'none';

export interface Notice {
  readonly isWarning: boolean;
  readonly message: string;
  /** What the setting becomes when nobody wants to see this again. */
  readonly without: NoticeSetting;
}

/** Whoever has waited so long has gone to do something else. */
const LONG_MS = 60_000;
const NAMED = 5;

/** One message for all runs that ended together; nothing where the view says enough. */
export function noticeOfRuns(
  runs: readonly RunFinished[],
  of: { readonly setting: NoticeSetting; readonly isFocused: boolean },
): Notice | undefined {
  if (of.setting === 'none') return undefined;
  const bad = runs.filter(({ outcome }) => outcome === 'failed' || outcome === 'deadlocked');
  if (bad.length > 0) return { isWarning: true, message: failureText(bad), without: 'none' };
  const done = runs.filter(({ outcome }) => outcome === 'completed');
  const isMissed = !of.isFocused && done.some(({ tookMs }) => tookMs >= LONG_MS);
  if (of.setting !== 'all' || !isMissed) return undefined;
  return { isWarning: false, message: completedText(done), without: 'needsYou' };
}

/** One message for all tasks that have come to need the user; a failure is said with its run. */
export function noticeOfNeeds(
  views: readonly TaskView[],
  setting: NoticeSetting,
): Notice | undefined {
  const [first, ...others] = views;
  if (setting === 'none' || first === undefined) return undefined;
  const message =
    others.length === 0
      ? l10n.t('{0} needs you: {1}.', first.id, first.detail)
      : l10n.t('{0} tasks need you: {1}.', views.length, names(views.map(({ id }) => id)));
  return { isWarning: true, message, without: 'none' };
}

function failureText(runs: readonly RunFinished[]): string {
  const [run, ...others] = runs;
  const failed = runs.flatMap(({ failedIds }) => failedIds);
  if (run === undefined || others.length > 0)
    return l10n.t('{0} runs did not complete; failed: {1}.', runs.length, names(failed));
  if (run.outcome === 'deadlocked')
    return l10n.t(
      '{0} ended with tasks that can never start; {1} completed.',
      run.plan,
      run.completedCount,
    );
  return run.skippedCount === 0
    ? l10n.t('{0} failed in {1}; {2} completed.', names(failed), run.plan, run.completedCount)
    : l10n.t(
        '{0} failed in {1}; {2} completed, {3} skipped.',
        names(failed),
        run.plan,
        run.completedCount,
        run.skippedCount,
      );
}

function completedText(runs: readonly RunFinished[]): string {
  const [run, ...others] = runs;
  if (run === undefined || others.length > 0) return l10n.t('{0} runs completed.', runs.length);
  return run.completedCount === 1
    ? l10n.t('{0} completed: 1 task.', run.plan)
    : l10n.t('{0} completed: {1} tasks.', run.plan, run.completedCount);
}

function names(ids: readonly string[]): string {
  const left = ids.length - NAMED;
  const shown = ids.slice(0, NAMED).join(', ');
  return left > 0 ? l10n.t('{0} and {1} more', shown, left) : shown;
}
