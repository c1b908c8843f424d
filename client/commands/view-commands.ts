import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Grouping } from '../views/task-groups.ts';
import type { CommandHandler } from './registry.ts';

/** The ways to put the rows together: each has a place in the view's menu, and all are in one pick. */
export function viewCommands({
  choose,
  current,
  showNeeds,
}: {
  readonly choose: (grouping: Grouping) => void;
  readonly current: () => Grouping;
  readonly showNeeds: () => Promise<void>;
}): Readonly<Record<string, CommandHandler>> {
  return {
    'interlock.tasks.showNeeds': async () => showNeeds(),
    'interlock.tasks.groupByRun': () => choose('run'),
    'interlock.tasks.groupByState': () => choose('state'),
    'interlock.tasks.groupByPlan': () => choose('plan'),
    'interlock.tasks.groupByDependency': () => choose('dependency'),
    'interlock.tasks.groupBy': async () => {
      const picked = await vscode.window.showQuickPick(choices(current()), {
        placeHolder: l10n.t('How are the tasks put together?'),
      });
      if (picked !== undefined) choose(picked.grouping);
    },
  };
}

function choices(current: Grouping): (vscode.QuickPickItem & { readonly grouping: Grouping })[] {
  const items: readonly (readonly [Grouping, string, string])[] = [
    ['run', l10n.t('By run'), l10n.t('What was asked for together, the newest first')],
    ['state', l10n.t('By state'), l10n.t('What runs, what is ready, what waits')],
    ['plan', l10n.t('By plan'), l10n.t('As they are written')],
    ['dependency', l10n.t('By dependency'), l10n.t('Below each task what it waits for')],
  ];
  return items.map(([grouping, label, detail]) => ({
    grouping,
    label,
    detail,
    ...(grouping === current && { description: l10n.t('now') }),
  }));
}
