import * as l10n from '@vscode/l10n';
import { displayName } from '../../picture/display-text.ts';
import type { NodeState } from '../../picture/graph-picture.ts';
import { lengthWords, runWord } from '../../picture/timeline-words.ts';
import type { RunState, RunSummary } from '../../protocol/timeline.ts';
import type { TaskView } from '../../protocol/tasks.ts';
import { foldersOf } from '../folder-name.ts';
import { tasksText } from '../../picture/tasks-text.ts';
import { OUTCOME_ICONS } from '../views/task-groups.ts';
import type { PictureState } from '../webview/messages.ts';
import { withoutIcons } from '../text-of-others.ts';

const ICONS: Readonly<Record<RunState, string>> = {
  active: 'play-circle',
  interrupted: 'debug-pause',
  ...OUTCOME_ICONS,
};

/** A row of the list of runs. */
export interface RunRow {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly summary: RunSummary;
}

/** `place` is its plan, and the folder where that has to be said. */
export function runRow(summary: RunSummary, place: string): RunRow {
  const { state, requestedAt, finishedAt, requestedBy, taskCount } = summary;
  const when = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
  const length = finishedAt === undefined ? [] : [lengthWords(finishedAt - requestedAt)];
  return {
    label: `$(${ICONS[state]}) ${withoutIcons(place)}`,
    description: [runWord(state), when.format(requestedAt)].join(' · '),
    detail: withoutIcons(
      [tasksText(taskCount), ...length, l10n.t('by {0}', requestedBy)].join(' · '),
    ),
    summary,
  };
}

/** A plan that tasks of this window are in. */
export interface PlanRow {
  readonly label: string;
  readonly description: string;
  readonly folderUri: string;
  readonly plan: string;
}

export function planRows(views: readonly TaskView[]): readonly PlanRow[] {
  const plans = new Map<string, TaskView[]>();
  for (const view of views) {
    const key = `${view.folderUri}\n${view.plan}`;
    const known = plans.get(key) ?? [];
    plans.set(key, known);
    known.push(view);
  }
  const inFolder = foldersOf(views);
  return [...plans.values()].map((tasks) => {
    const { folderUri, plan } = tasks[0]!;
    const running = tasks.filter(({ state }) => state === 'running').length;
    const failed = tasks.filter(({ state }) => state === 'failed').length;
    const parts = [
      tasksText(tasks.length),
      ...(running > 0 ? [l10n.t('{0} running', running)] : []),
      ...(failed > 0 ? [l10n.t('{0} failed', failed)] : []),
    ];
    return {
      label: `$(list-tree) ${withoutIcons(inFolder({ folderUri }, plan))}`,
      description: parts.join(' · '),
      folderUri,
      plan,
    };
  });
}

/** How the tasks of one plan stand, of all or of those that have changed. */
export function statesOf(
  views: readonly TaskView[],
  { folderUri, plan }: { readonly folderUri: string; readonly plan: string },
): readonly (readonly [string, NodeState])[] {
  return views.flatMap((view) =>
    view.folderUri === folderUri && view.plan === plan
      ? [[view.id, { state: view.state, detail: view.detail }] as const]
      : [],
  );
}

/** What a page remembered; nothing if it is of another version, or of nobody. */
export function readState(value: unknown): PictureState | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { kind, folderUri, run, plan, around, grouping, seen }: Partial<Record<string, unknown>> = {
    ...value,
  };
  if (typeof folderUri !== 'string') return undefined;
  if (kind === 'graph' && typeof plan === 'string')
    return { kind, folderUri, plan, ...(typeof around === 'string' && { around }) };
  if (kind !== 'timeline' || typeof run !== 'string') return undefined;
  const stretch = readStretch(seen);
  return {
    kind,
    folderUri,
    run,
    grouping: grouping === 'worker' ? 'worker' : 'task',
    ...(stretch !== undefined && { seen: stretch }),
  };
}

function readStretch(value: unknown): { readonly from: number; readonly to: number } | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { from, to }: Partial<Record<string, unknown>> = { ...value };
  if (typeof from !== 'number' || typeof to !== 'number') return undefined;
  return Number.isFinite(from) && to > from ? { from, to } : undefined;
}

/** What stands on the tab of a picture. */
export function panelTitle(state: PictureState): string {
  if (state.kind === 'timeline') return l10n.t('Timeline');
  return `${l10n.t('Graph')}: ${displayName(state.plan)}`;
}
