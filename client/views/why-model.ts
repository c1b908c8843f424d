import * as l10n from '@vscode/l10n';
import type { TaskViewState } from '../../protocol/tasks.ts';
import type { BlockerView, WhyReply } from '../../protocol/why.ts';
import { withoutIcons } from '../text-of-others.ts';

/** A row of the explanation, or the line above some of them. */
export interface WhyItem {
  readonly isSection: boolean;
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  /** Absent where there is nothing to choose. */
  readonly blocker: BlockerView | undefined;
  /** Of this extension, for the task that is asked about; where nothing is in the way. */
  readonly command: string | undefined;
}

const SECTIONS = {
  waits: ['dependencies', 'hazard', 'resources', 'parallel', 'outranked', 'busy'],
  people: ['attention', 'paused', 'untrusted', 'unclaimed'],
  workers: ['capability', 'host', 'cooldown', 'backoff'],
  plan: ['unsatisfiable', 'plan'],
} as const;

const ENDED_BADLY: ReadonlySet<TaskViewState> = new Set(['failed', 'skipped', 'cancelled']);

const ICONS: Readonly<Record<string, string>> = {
  dependencies: 'git-merge',
  hazard: 'lock',
  resources: 'dashboard',
  parallel: 'server-process',
  busy: 'run-all',
  outranked: 'arrow-up',
  attention: 'bell-dot',
  paused: 'debug-pause',
  untrusted: 'workspace-untrusted',
  unclaimed: 'person-add',
  capability: 'robot',
  host: 'remote',
  cooldown: 'watch',
  backoff: 'history',
  unsatisfiable: 'circle-slash',
  plan: 'error',
};

/**
 * The reasons in sections; each row says what it is, what clears it, and what choosing it does. How a
 * task ended is known to the list of tasks.
 */
export function whyItems(reply: WhyReply, now: number, ending = ''): readonly WhyItem[] {
  const { blockers, state } = reply;
  if (blockers.length === 0) return nothing(state, ending);
  const titles = {
    people: l10n.t('needs you'),
    waits: l10n.t('waits for others'),
    workers: l10n.t('waits for a worker, or for time to pass'),
    plan: l10n.t('needs a change of the plan'),
  };
  return (['people', 'waits', 'workers', 'plan'] as const).flatMap((section) => {
    const kinds: readonly string[] = SECTIONS[section];
    const found = blockers.filter(({ kind }) => kinds.includes(kind));
    if (found.length === 0) return [];
    return [line(titles[section]), ...found.map((blocker) => itemOf(blocker, now))];
  });
}

/** Read out by screen readers, and shown above the rows. */
export function whyTitle(id: string, { blockers, state }: WhyReply): string {
  if (blockers.length === 0)
    return ENDED_BADLY.has(state)
      ? l10n.t('Why "{0}" did not complete', id)
      : l10n.t('Nothing is in the way of "{0}"', id);
  return blockers.length === 1
    ? l10n.t('One thing is in the way of "{0}"', id)
    : l10n.t('{0} things are in the way of "{1}"', blockers.length, id);
}

function itemOf(blocker: BlockerView, now: number): WhyItem {
  const { kind, what, remedy, until, action } = blocker;
  const left = until === undefined || until <= now ? '' : secondsText(until - now);
  const doing = action === undefined ? '' : ` $(arrow-right) ${withoutIcons(action.title)}`;
  return {
    isSection: false,
    label: `$(${ICONS[kind] ?? 'info'}) ${withoutIcons(what)}`,
    description: left,
    detail: `${withoutIcons(remedy)}.${doing}`,
    blocker,
    command: undefined,
  };
}

function secondsText(durationMs: number): string {
  const seconds = Math.ceil(durationMs / 1000);
  return seconds < 120
    ? l10n.t('in {0} s at the latest', seconds)
    : l10n.t('in {0} min at the latest', Math.ceil(seconds / 60));
}

function line(label: string): WhyItem {
  return {
    isSection: true,
    label,
    description: '',
    detail: '',
    blocker: undefined,
    command: undefined,
  };
}

/** How it is, and what to do about that. */
function nothing(state: TaskViewState, ending: string): readonly WhyItem[] {
  const icon = state === 'failed' ? 'error' : STARTED.has(state) ? 'pass' : 'circle-outline';
  const plain = { ...line(`$(${icon}) ${howItIs(state)}`), isSection: false };
  const why = RETRIED.has(state) && ending !== '' ? `${withoutIcons(ending)}. ` : '';
  const run = {
    detail: `${why}$(arrow-right) ${l10n.t('Run')}`,
    command: 'interlock.task.runThis',
  };
  const log = {
    ...line(`$(output) ${l10n.t('What it has printed')}`),
    isSection: false,
    detail: `$(arrow-right) ${l10n.t('Show Log')}`,
    command: 'interlock.task.showLog',
  };
  return [RUNNABLE.has(state) ? { ...plain, ...run } : plain, ...(STARTED.has(state) ? [log] : [])];
}

const STARTED: ReadonlySet<TaskViewState> = new Set(['running', 'completed', 'failed']);
const RETRIED: ReadonlySet<TaskViewState> = new Set(['failed', 'cancelled', 'skipped']);
const RUNNABLE: ReadonlySet<TaskViewState> = new Set(['idle', 'interrupted', ...RETRIED]);

function howItIs(state: TaskViewState): string {
  switch (state) {
    case 'claimed':
    case 'running':
      return l10n.t('It is being worked on now');
    case 'completed':
      return l10n.t('It is done');
    case 'failed':
      return l10n.t('It has failed; run it to try again');
    case 'cancelled':
      return l10n.t('It was cancelled; run it to try again');
    case 'skipped':
      return l10n.t('It was skipped; run it to try again');
    case 'ready':
      return l10n.t('It starts in a moment');
    case 'idle':
    case 'interrupted':
    case 'waiting':
    case 'blocked':
    case 'attention':
      return l10n.t('Nobody has asked for it; run it to begin');
    default:
      return state satisfies never;
  }
}
