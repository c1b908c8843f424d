import type { TaskView, TaskViewState } from '../../protocol/tasks.ts';
import { keyOf } from '../task-list.ts';

/** A row of the Tasks view. Plans get a row of their own only when there are several. */
export type TreeNode =
  | { readonly kind: 'plan'; readonly key: string; readonly label: string }
  | { readonly kind: 'task'; readonly key: string };

/** How a task's row looks; icons and colours are VS Code's own names. */
export interface TaskRow {
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  readonly color: string | undefined;
  readonly tooltip: string;
  /** Read out by screen readers: the same, as a sentence. */
  readonly spoken: string;
  /** Words that the `when` clauses of menus look for. */
  readonly context: string;
}

const LOOKS: Readonly<Record<TaskViewState, { icon: string; color?: string; word: string }>> = {
  idle: { icon: 'circle-outline', word: '' },
  blocked: { icon: 'circle-slash', color: 'list.warningForeground', word: 'cannot start' },
  interrupted: { icon: 'debug-pause', color: 'list.warningForeground', word: '' },
  waiting: { icon: 'clock', word: '' },
  ready: { icon: 'clock', word: 'ready' },
  claimed: { icon: 'loading~spin', word: 'starting' },
  running: { icon: 'loading~spin', word: 'running' },
  attention: { icon: 'bell-dot', color: 'list.warningForeground', word: 'needs attention' },
  completed: { icon: 'pass', color: 'testing.iconPassed', word: 'completed' },
  failed: { icon: 'error', color: 'testing.iconFailed', word: 'failed' },
  cancelled: { icon: 'circle-slash', word: 'cancelled' },
  skipped: { icon: 'debug-step-over', word: 'skipped' },
};

/** For a screen reader, where the icon alone says it to others. */
const UNSAID: Readonly<Partial<Record<TaskViewState, string>>> = {
  idle: 'not run yet',
  waiting: 'waiting',
};

const WITHOUT_LOG: ReadonlySet<TaskViewState> = new Set([
  'idle',
  'blocked',
  'waiting',
  'ready',
  'skipped',
]);
const ACTIVE: ReadonlySet<TaskViewState> = new Set([
  'waiting',
  'ready',
  'claimed',
  'running',
  'attention',
]);

export function rootNodes(views: readonly TaskView[]): readonly TreeNode[] {
  const plans = new Map(views.map((view) => [planKey(view), view]));
  if (plans.size <= 1) return views.map(taskNode);
  const folders = new Set(views.map(({ folderUri }) => folderUri));
  return [...plans].map(([key, { folderUri, plan }]) => {
    const label = folders.size > 1 ? `${lastSegment(folderUri)} · ${plan}` : plan;
    return { kind: 'plan', key, label };
  });
}

export function childNodes(node: TreeNode, views: readonly TaskView[]): readonly TreeNode[] {
  if (node.kind === 'task') return [];
  return views.filter((view) => planKey(view) === node.key).map(taskNode);
}

/** The tasks of a board have a file each, and are one plan all the same. */
function planKey({ folderUri, plan }: TaskView): string {
  return `${folderUri}\n${plan}`;
}

export function taskRow({ id, title, state, detail }: TaskView): TaskRow {
  const { icon, color, word } = LOOKS[state];
  const words = [word, detail].filter((part) => part !== '');
  const how = words.join(' · ');
  return {
    label: id,
    // How it is comes first: what does not fit into the view is cut off at the end.
    description: [how, title].filter((part) => part !== '').join(' · '),
    icon,
    color,
    tooltip: [title || id, how].filter((part) => part !== '').join('\n'),
    spoken: [id, title, ...(words.length > 0 ? words : [UNSAID[state] ?? ''])]
      .filter((part) => part !== '')
      .join(', '),
    context: [
      'task',
      ...(ACTIVE.has(state) ? ['active'] : ['inactive']),
      ...(WITHOUT_LOG.has(state) ? [] : ['logged']),
    ].join(' '),
  };
}

/** How many tasks want the user's attention: the number on the view's badge. */
export function attentionCount(views: readonly TaskView[]): number {
  return views.filter(({ state }) => state === 'failed' || state === 'attention').length;
}

export function isAnythingActive(views: readonly TaskView[]): boolean {
  return views.some(({ state }) => ACTIVE.has(state));
}

function taskNode(view: TaskView): TreeNode {
  return { kind: 'task', key: keyOf(view) };
}

function lastSegment(uri: string): string {
  return decodeURIComponent(uri.replace(/\/$/, '').split('/').at(-1) ?? uri);
}
