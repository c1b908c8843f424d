import type { TaskView, TaskViewState } from '../../protocol/tasks.ts';

export interface StatusText {
  readonly text: string;
  readonly tooltip: string;
  readonly isProblem: boolean;
}

/** The one item in the status bar; nothing where there is nothing to say. */
export function statusText(
  views: readonly TaskView[],
  problem: string | undefined,
): StatusText | undefined {
  if (problem !== undefined)
    return { text: '$(warning) Interlock', tooltip: problem, isProblem: true };
  if (views.length === 0) return undefined;
  const count = (...states: readonly TaskViewState[]): number =>
    views.filter(({ state }) => states.includes(state)).length;
  const [running, failed] = [count('claimed', 'running'), count('failed')];
  const waiting = count('waiting', 'ready');
  const attention = count('attention');
  const [interrupted, completed] = [count('interrupted'), count('completed')];
  const parts = [
    ...(running > 0 ? [`${running} running`] : []),
    ...(waiting > 0 ? [`${waiting} waiting`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(attention > 0 ? [attentionText(attention)] : []),
    ...(interrupted > 0 ? [`${interrupted} interrupted`] : []),
    ...(completed > 0 && running + waiting + failed + attention + interrupted === 0
      ? [`${completed} of ${views.length} completed`]
      : []),
  ];
  const icon = running > 0 ? '$(sync~spin)' : '$(type-hierarchy)';
  const what = parts.length > 0 ? parts.join(', ') : plural(views.length);
  return { text: `${icon} ${what}`, tooltip: `Interlock: ${what}`, isProblem: false };
}

function attentionText(count: number): string {
  return count === 1 ? '1 needs attention' : `${count} need attention`;
}

function plural(count: number): string {
  return count === 1 ? '1 task' : `${count} tasks`;
}
