import * as l10n from '@vscode/l10n';
import type { TaskViewState } from '../protocol/tasks.ts';
import type { SpanEnd, WaitCause } from '../protocol/timeline.ts';

/** Lines in a square of 12 by 12: what a state looks like to whoever does not see its colour. */
const SIGNS: Readonly<Record<TaskViewState, string>> = {
  idle: 'M6 1.5a4.5 4.5 0 1 0 .01 0',
  blocked: 'M6 1.5a4.5 4.5 0 1 0 .01 0M3 9l6-6',
  interrupted: 'M4 2.5v7M8 2.5v7',
  waiting: 'M6 1.5a4.5 4.5 0 1 0 .01 0M6 3.5V6l2 1',
  ready: 'M6 1.5a4.5 4.5 0 1 0 .01 0M6 3.5V6l2 1',
  claimed: 'M3.5 2l5.5 4-5.5 4z',
  running: 'M3.5 2l5.5 4-5.5 4z',
  attention: 'M6 1.5v5.5M6 10v.2',
  completed: 'M2 6.5l2.8 2.8L10 3',
  failed: 'M2.5 2.5l7 7M9.5 2.5l-7 7',
  cancelled: 'M2.5 6h7',
  skipped: 'M2.5 3l3.5 3-3.5 3M6.5 3l3.5 3-3.5 3',
};

export function signOf(state: TaskViewState): string {
  return SIGNS[state];
}

export function stateWord(state: TaskViewState): string {
  switch (state) {
    case 'idle':
      return l10n.t('not run yet');
    case 'blocked':
      return l10n.t('cannot start');
    case 'interrupted':
      return l10n.t('interrupted');
    case 'waiting':
      return l10n.t('waiting');
    case 'ready':
      return l10n.t('ready');
    case 'claimed':
      return l10n.t('starting');
    case 'running':
      return l10n.t('running');
    case 'attention':
      return l10n.t('needs attention');
    case 'completed':
      return l10n.t('completed');
    case 'failed':
      return l10n.t('failed');
    case 'cancelled':
      return l10n.t('cancelled');
    case 'skipped':
      return l10n.t('skipped');
    default:
      return state satisfies never;
  }
}

export function endWord(end: SpanEnd): string {
  if (end === 'lost') return l10n.t('lost');
  return end === 'released' ? l10n.t('released') : stateWord(end);
}

/** What a task waits for, in words, with the names where there are any. */
export function waitWords(cause: WaitCause, names: readonly string[], more = 0): string {
  const all = [...names, ...(more > 0 ? [l10n.t('{0} more', more)] : [])].join(', ');
  switch (cause) {
    case 'dependencies':
      return all === '' ? l10n.t('waits for other tasks') : l10n.t('waits for {0}', all);
    case 'files':
      return all === ''
        ? l10n.t('waits for files that others have')
        : l10n.t('waits for files that {0} had', all);
    case 'backoff':
      return l10n.t('waits before it is tried again');
    case 'paused':
      return l10n.t('paused');
    case 'limits':
      return all === '' ? l10n.t('waits for a limit') : l10n.t('waits for the limit {0}', all);
    case 'parallel':
      return l10n.t('waits for a place: as many as may run at once were running');
    case 'turn':
      return l10n.t('nothing of this run is in the way: waits for its turn, or for a worker');
    default:
      return cause satisfies never;
  }
}
