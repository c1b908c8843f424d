import * as l10n from '@vscode/l10n';
import type { FoundPlan, ImportSource, NewPlanText } from '../../protocol/starter-plan.ts';
import { tasksText } from '../../picture/tasks-text.ts';
import { withoutIcons } from '../text-of-others.ts';

interface Row {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
}

/** What a first plan may begin with, each with the tasks that would be in it. */
export function starterRows(
  starters: readonly NewPlanText[],
): readonly (Row & { readonly starter: NewPlanText })[] {
  return starters.map((starter, index) => ({
    starter,
    label: `$(new-file) ${withoutIcons(starter.label)}`,
    description: index === 0 ? l10n.t('fits best') : '',
    detail: withoutIcons(starter.detail),
  }));
}

export function importRow(source: ImportSource): Row & { readonly source: ImportSource } {
  return source.kind === 'tasks-json'
    ? {
        source,
        label: '$(json) .vscode/tasks.json',
        description: l10n.t('is written into {0}', source.plan.label),
        detail: withoutIcons(source.plan.detail),
      }
    : {
        source,
        label: `$(project) ${withoutIcons(source.path)}`,
        description: l10n.t('is a plan already'),
        detail: tasksText(source.taskCount),
      };
}

/** `place` is its path, and its folder where that has to be said. */
export function planRow(plan: FoundPlan, place: string): Row & { readonly plan: FoundPlan } {
  return {
    plan,
    label: `${plan.hasErrors ? '$(error)' : '$(list-tree)'} ${withoutIcons(place)}`,
    description: plan.hasErrors ? l10n.t('has errors') : '',
    detail: '',
  };
}
