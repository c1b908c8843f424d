import * as l10n from '@vscode/l10n';

export function tasksText(count: number): string {
  return count === 1 ? l10n.t('1 task') : l10n.t('{0} tasks', count);
}
