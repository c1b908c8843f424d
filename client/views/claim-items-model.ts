import * as l10n from '@vscode/l10n';
import type { ClaimableTask } from '../../protocol/claims.ts';
import { foldersOf } from '../folder-name.ts';
import { withoutIcons } from '../text-of-others.ts';

/** A row of the pick of what to claim, or the line above some of them. */
export interface ClaimItem {
  readonly isSection: boolean;
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly task: ClaimableTask | undefined;
}

/** What is for people comes first, then what anybody may do; the server has put them in order. */
export function claimItems(tasks: readonly ClaimableTask[]): readonly ClaimItem[] {
  const forPeople = tasks.filter(({ isForPeople }) => isForPeople);
  const others = tasks.filter(({ isForPeople }) => !isForPeople);
  const inFolder = foldersOf(tasks);
  const itemsOf = (some: readonly ClaimableTask[]): readonly ClaimItem[] =>
    some.map((task) => itemOf(task, inFolder(task, task.plan)));
  return [
    ...section(l10n.t('for people'), itemsOf(forPeople)),
    ...section(l10n.t('for anybody'), itemsOf(others)),
  ];
}

function section(label: string, items: readonly ClaimItem[]): readonly ClaimItem[] {
  if (items.length === 0) return [];
  const head = { isSection: true, label, description: '', detail: '', task: undefined };
  return [head, ...items];
}

function itemOf(task: ClaimableTask, place: string): ClaimItem {
  const { id, title, isNew, waits } = task;
  const icon = waits === '' ? (isNew ? 'circle-outline' : 'person') : 'clock';
  const asking = isNew ? l10n.t('not asked for yet: claiming it runs what it needs') : '';
  const how = waits === '' ? asking : waits;
  return {
    isSection: false,
    label: `$(${icon}) ${id}`,
    description: how === '' ? l10n.t('can be claimed now') : withoutIcons(how),
    detail: withoutIcons([title, place].filter((part) => part !== '').join(' · ')),
    task,
  };
}
