import * as l10n from '@vscode/l10n';
import { stateWord } from '../../picture/state-signs.ts';
import type { RunView } from '../../protocol/runs.ts';
import type { TaskView, TaskViewState } from '../../protocol/tasks.ts';
import { clockText, runningText } from '../time.ts';
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

const LOOKS: Readonly<Record<TaskViewState, { readonly icon: string; readonly color?: string }>> = {
  idle: { icon: 'circle-outline' },
  blocked: { icon: 'circle-slash', color: 'list.warningForeground' },
  interrupted: { icon: 'debug-pause', color: 'list.warningForeground' },
  waiting: { icon: 'clock' },
  ready: { icon: 'clock', color: 'charts.blue' },
  claimed: { icon: 'loading~spin' },
  running: { icon: 'loading~spin', color: 'charts.blue' },
  attention: { icon: 'bell-dot', color: 'list.warningForeground' },
  completed: { icon: 'pass', color: 'testing.iconPassed' },
  failed: { icon: 'error', color: 'testing.iconFailed' },
  cancelled: { icon: 'circle-slash' },
  // Blue by itself, as if it were being debugged.
  skipped: { icon: 'debug-step-over', color: 'icon.foreground' },
};

/** The icon says it, or the clause that comes with it. */
const UNSAID: ReadonlySet<TaskViewState> = new Set(['idle', 'interrupted', 'waiting']);

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

const UNCLAIMABLE: ReadonlySet<TaskViewState> = new Set([
  'blocked',
  'claimed',
  'running',
  'completed',
]);

/** `now` is left out where time need not be told; what is one's own the user has. */
export function taskRow(view: TaskView, now?: number, isOwn = false): TaskRow {
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
    spoken: [id, title, ...(words.length > 0 ? words : [stateWord(state)])]
      .filter((part) => part !== '')
      .join(', '),
    context: contextOf(view, isOwn),
  };
}

function wordsOf({ state, detail, isPaused, blocker, holder }: TaskView): readonly string[] {
  // Agents and people claim a task and are at it: nothing starts.
  const isTaken = state === 'claimed' && holder !== undefined;
  return [
    isPaused ? l10n.t('paused') : '',
    UNSAID.has(state) || isTaken ? '' : stateWord(state),
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
  return [...words.slice(0, 1), runningText(startedAt, now), ...words.slice(1)];
}

/** Whether its row says how long it has been so. */
export function isTimed(state: TaskViewState): boolean {
  return state === 'claimed' || state === 'running';
}

function contextOf({ state, isPaused, doneBy, waitsForYou }: TaskView, isOwn: boolean): string {
  return [
    'task',
    isActive(state) ? 'active' : 'inactive',
    WITHOUT_LOG.has(state) || doneBy === 'people' ? '' : 'logged',
    isPending(state) && !isPaused ? 'pausable' : '',
    isRetryable(state) ? 'retryable' : '',
    UNCLAIMABLE.has(state) || doneBy !== 'people' ? '' : 'claimable',
    state === 'attention' ? 'asking' : '',
    isPaused ? 'paused' : '',
    waitsForYou === true ? 'waitsforyou' : '',
    isOwn ? 'own' : '',
    doneBy === 'command' ? 'command' : '',
  ]
    .filter((word) => word !== '')
    .join(' ');
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
