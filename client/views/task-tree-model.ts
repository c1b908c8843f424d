import * as l10n from '@vscode/l10n';
import type { RunView } from '../../protocol/runs.ts';
import type { TaskView, TaskViewState } from '../../protocol/tasks.ts';
import { clockText } from '../time.ts';
import { progressOf } from './task-groups.ts';

/** How a task's row looks; icons and colours are VS Code's own names. */
export interface TaskRow {
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  readonly color: string | undefined;
  /** Read out by screen readers: the same, as a sentence that does not change by itself. */
  readonly spoken: string;
  /** Words that the `when` clauses of menus look for. */
  readonly context: string;
}

const LOOKS: Readonly<Record<TaskViewState, { icon: string; color?: string; word: () => string }>> =
  {
    idle: { icon: 'circle-outline', word: () => '' },
    blocked: {
      icon: 'circle-slash',
      color: 'list.warningForeground',
      word: () => l10n.t('cannot start'),
    },
    interrupted: { icon: 'debug-pause', color: 'list.warningForeground', word: () => '' },
    waiting: { icon: 'clock', word: () => '' },
    ready: { icon: 'clock', color: 'charts.blue', word: () => l10n.t('ready') },
    claimed: { icon: 'loading~spin', word: () => l10n.t('starting') },
    running: { icon: 'loading~spin', color: 'charts.blue', word: () => l10n.t('running') },
    attention: {
      icon: 'bell-dot',
      color: 'list.warningForeground',
      word: () => l10n.t('needs attention'),
    },
    completed: { icon: 'pass', color: 'testing.iconPassed', word: () => l10n.t('completed') },
    failed: { icon: 'error', color: 'testing.iconFailed', word: () => l10n.t('failed') },
    cancelled: { icon: 'circle-slash', word: () => l10n.t('cancelled') },
    skipped: { icon: 'debug-step-over', word: () => l10n.t('skipped') },
  };

const WITHOUT_LOG: ReadonlySet<TaskViewState> = new Set([
  'idle',
  'blocked',
  'waiting',
  'ready',
  'skipped',
]);

/** Of the states in which a task is part of a run that somebody carries on, and not at its end. */
export const ACTIVE: readonly TaskViewState[] = [
  'waiting',
  'ready',
  'claimed',
  'running',
  'attention',
];

export function isActive(state: TaskViewState): boolean {
  return ACTIVE.includes(state);
}

/** It waits to be started. */
export function isPending(state: TaskViewState): boolean {
  return state === 'waiting' || state === 'ready';
}

/** It did not complete, and could be tried again. */
export function isRetryable(state: TaskViewState): boolean {
  return RETRIED.has(state);
}

const RETRIED: ReadonlySet<TaskViewState> = new Set([
  'failed',
  'cancelled',
  'skipped',
  'attention',
]);

/** `now` is left out where time need not be told. */
export function taskRow(view: TaskView, now?: number): TaskRow {
  const { id, title, state } = view;
  const { icon, color } = LOOKS[state];
  const words = wordsOf(view);
  const how = now === undefined ? words : withTime(words, view, now);
  return {
    label: id,
    // How it is comes first: what does not fit into the view is cut off at the end.
    description: [...how, title].filter((part) => part !== '').join(' · '),
    icon: view.isPaused ? 'debug-pause' : icon,
    color,
    spoken: [id, title, ...(words.length > 0 ? words : [unsaid(state)])]
      .filter((part) => part !== '')
      .join(', '),
    context: contextOf(view),
  };
}

function wordsOf({ state, detail, isPaused, blocker, holder }: TaskView): readonly string[] {
  return [
    isPaused ? l10n.t('paused') : '',
    LOOKS[state].word(),
    detail,
    blocker === undefined ? '' : heldText(blocker),
    holder === undefined ? '' : heldText(holder),
  ].filter((part) => part !== '');
}

function heldText({ name, until }: NonNullable<TaskView['holder']>): string {
  return until === undefined
    ? l10n.t('held by {0}', name)
    : l10n.t('held by {0} until {1}', name, clockText(until));
}

/** How long it has been running comes right behind that it does. */
function withTime(
  words: readonly string[],
  { state, startedAt }: TaskView,
  now: number,
): readonly string[] {
  if (startedAt === undefined || !isTimed(state)) return words;
  return [...words.slice(0, 1), elapsedText(now - startedAt), ...words.slice(1)];
}

/** Whether its row says how long it has been so. */
export function isTimed(state: TaskViewState): boolean {
  return state === 'claimed' || state === 'running';
}

/** `7 s`, `3 min 20 s`, `2 h 5 min`. */
export function elapsedText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
  if (hours > 0) return l10n.t('{0} h {1} min', hours, minutes % 60);
  if (minutes > 0) return l10n.t('{0} min {1} s', minutes, seconds % 60);
  return l10n.t('{0} s', seconds);
}

/** For a screen reader, where the icon alone says it to others. */
function unsaid(state: TaskViewState): string {
  if (state === 'idle') return l10n.t('not run yet');
  return state === 'waiting' ? l10n.t('waiting') : '';
}

function contextOf({ state, isPaused }: TaskView): string {
  return [
    'task',
    isActive(state) ? 'active' : 'inactive',
    WITHOUT_LOG.has(state) ? '' : 'logged',
    isPending(state) && !isPaused ? 'pausable' : '',
    isRetryable(state) ? 'retryable' : '',
    state === 'attention' ? 'asking' : '',
    isPaused ? 'paused' : '',
  ]
    .filter((word) => word !== '')
    .join(' ');
}

/** A task that the user holds can be ended from its row. */
export function ownContext({ context }: TaskRow): string {
  return `${context} own`;
}

/** How far everything is that runs, above the rows; nothing where nothing runs. */
export function progressText(live: readonly RunView[]): string {
  if (live.length === 0) return '';
  const { done, total, running, waiting } = progressOf(live);
  const parts = [
    l10n.t('{0} of {1} done', done, total),
    ...(running > 0 ? [l10n.t('{0} running', running)] : []),
    ...(waiting > 0 ? [waiting === 1 ? l10n.t('1 waits') : l10n.t('{0} wait', waiting)] : []),
    ...(live.some(({ status }) => status === 'paused') ? [l10n.t('paused')] : []),
    ...(live.some(({ status }) => status === 'stopping') ? [l10n.t('stopping')] : []),
  ];
  return parts.join(', ');
}

/** The number on the view, and what it counts. */
export function attentionText(of: {
  readonly failed: number;
  readonly attention: number;
  /** Those that were interrupted, too. */
  readonly all: number;
}): { readonly value: number; readonly tooltip: string } | undefined {
  const value = of.all;
  if (value === 0) return undefined;
  const interrupted = value - of.failed - of.attention;
  const parts = [
    ...(of.failed > 0 ? [l10n.t('{0} failed', of.failed)] : []),
    ...(of.attention > 0 ? [l10n.t('{0} need attention', of.attention)] : []),
    ...(interrupted > 0 ? [l10n.t('{0} interrupted', interrupted)] : []),
  ];
  return { value, tooltip: parts.join(', ') };
}
