import * as l10n from '@vscode/l10n';
import type { RunView } from '../../protocol/runs.ts';
import { plainText } from '../markdown.ts';
import type { TaskList } from '../task-list.ts';
import { progressText } from './task-tree-model.ts';
import { tasksText } from '../../picture/tasks-text.ts';

export interface StatusText {
  readonly text: string;
  /** Markdown. */
  readonly tooltip: string;
  /** Nothing goes on before somebody does something. */
  readonly isBlocked: boolean;
  readonly spoken: string;
}

interface Standing {
  readonly tasks: Pick<TaskList, 'count' | 'size' | 'colliding'>;
  readonly live: readonly RunView[];
  readonly problem: string | undefined;
}

/** The one item in the status bar; nothing where there is nothing to say. */
export function statusText({ tasks, live, problem }: Standing): StatusText | undefined {
  if (problem !== undefined) {
    const spoken = l10n.t('Interlock: {0}', problem);
    return { text: '$(warning) Interlock', tooltip: plainText(problem), isBlocked: true, spoken };
  }
  if (tasks.size === 0) return undefined;
  const running = tasks.count('claimed', 'running');
  const ready = tasks.count('ready');
  const waiting = tasks.count('waiting');
  const attention = tasks.count('attention');
  const parts = partsOf(tasks);
  const what = parts.length > 0 ? parts.join(', ') : tasksText(tasks.size);
  const isBlocked = waiting > 0 && attention > 0 && running + ready === 0;
  return {
    text: `${iconOf(running, isBlocked)} ${what}`,
    tooltip: tooltipOf(parts.length > 0 ? parts : [what], live),
    isBlocked,
    spoken: l10n.t('Interlock: {0}', what),
  };
}

function iconOf(running: number, isBlocked: boolean): string {
  if (running > 0) return '$(sync~spin)';
  return isBlocked ? '$(bell-dot)' : '$(type-hierarchy)';
}

function partsOf(tasks: Standing['tasks']): readonly string[] {
  const running = tasks.count('claimed', 'running');
  const [ready, waiting] = [tasks.count('ready'), tasks.count('waiting')];
  const [failed, attention] = [tasks.count('failed'), tasks.count('attention')];
  const [interrupted, completed] = [tasks.count('interrupted'), tasks.count('completed')];
  const isQuiet = running + ready + waiting + failed + attention + interrupted === 0;
  return [
    ...(running > 0 ? [l10n.t('{0} running', running)] : []),
    ...(ready > 0 ? [l10n.t('{0} ready', ready)] : []),
    ...(waiting > 0 ? [l10n.t('{0} waiting', waiting)] : []),
    ...(tasks.colliding > 0 ? [hazardText(tasks.colliding)] : []),
    ...(failed > 0 ? [l10n.t('{0} failed', failed)] : []),
    ...(attention > 0 ? [needsText(attention)] : []),
    ...(interrupted > 0 ? [l10n.t('{0} interrupted', interrupted)] : []),
    ...(isQuiet && completed > 0 ? [l10n.t('{0} of {1} completed', completed, tasks.size)] : []),
  ];
}

function tooltipOf(parts: readonly string[], live: readonly RunView[]): string {
  const runs = live.map((run) => `- ${plainText(run.plan)}: ${plainText(progressText([run]))}`);
  return [
    '**Interlock**',
    ...(runs.length > 0 ? [runs.join('\n')] : []),
    parts.map((part) => `- ${part}`).join('\n'),
    l10n.t('Select to show the tasks.'),
  ].join('\n\n');
}

function hazardText(count: number): string {
  return count === 1 ? l10n.t('1 hazard') : l10n.t('{0} hazards', count);
}

function needsText(count: number): string {
  return count === 1 ? l10n.t('1 needs attention') : l10n.t('{0} need attention', count);
}
