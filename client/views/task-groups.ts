import * as l10n from '@vscode/l10n';
import { displayName } from '../../picture/display-text.ts';
import { runWord } from '../../picture/timeline-words.ts';
import type { RunView } from '../../protocol/runs.ts';
import type { TaskView, TaskViewState } from '../../protocol/tasks.ts';
import { inFolder } from '../folder-name.ts';
import { needsUser } from '../needs-user.ts';
import { tasksText } from '../../picture/tasks-text.ts';
import { clockText } from '../time.ts';

/** How the rows of the Tasks view are put together. */
export const GROUPINGS = ['run', 'state', 'plan', 'dependency'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export interface PlanNames {
  readonly folderUri: string;
  readonly plan: string;
  readonly run?: string;
}

/** The group that a task is in, from its key alone. */
export interface GroupName {
  readonly key: string;
  readonly kind: 'attention' | 'run' | 'unrun' | 'state' | 'plan';
  /** The plan whose tasks it has, and the run that they are in. */
  readonly of?: PlanNames;
}

export const ATTENTION: GroupName = { key: 'attention', kind: 'attention' };

/** The states that one group shows, in the order of the groups. */
const BUCKETS = {
  running: ['claimed', 'running'],
  ready: ['ready'],
  waiting: ['waiting', 'interrupted'],
  blocked: ['blocked'],
  completed: ['completed'],
  left: ['cancelled', 'skipped'],
  idle: ['idle'],
} as const satisfies Readonly<Record<string, readonly TaskViewState[]>>;

type Bucket = keyof typeof BUCKETS;
const BUCKET_NAMES = Object.keys(BUCKETS).filter((name): name is Bucket => name in BUCKETS);
const BUCKET_OF = new Map<TaskViewState, Bucket>(
  BUCKET_NAMES.flatMap((name) => BUCKETS[name].map((state) => [state, name] as const)),
);

/** Nothing where the task has a row of its own at the top. */
export function groupOf(view: TaskView, grouping: Grouping): GroupName | undefined {
  const { folderUri, plan, run, state } = view;
  switch (grouping) {
    case 'run':
      return run === undefined
        ? { key: `unrun\n${folderUri}\n${plan}`, kind: 'unrun', of: { folderUri, plan } }
        : { key: `run\n${folderUri}\n${run}`, kind: 'run', of: { folderUri, plan, run } };
    case 'state': {
      const bucket = needsUser(view) ? undefined : BUCKET_OF.get(state);
      return bucket === undefined ? ATTENTION : { key: `state\n${bucket}`, kind: 'state' };
    }
    case 'plan':
      return { key: `plan\n${folderUri}\n${plan}`, kind: 'plan', of: { folderUri, plan } };
    case 'dependency':
      return undefined;
    default:
      return grouping satisfies never;
  }
}

/** Whether those who need the user have rows above the others, besides the ones among them. */
export function hasShortcuts(grouping: Grouping): boolean {
  return grouping !== 'state';
}

export interface GroupRow {
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  readonly color: string | undefined;
  readonly spoken: string;
  readonly context: string;
  readonly isOpen: boolean;
}

/** What the row of a group shows, from one of its tasks, how many there are, and the run that it is. */
export function groupRow(
  { key, kind }: GroupName,
  of: {
    readonly first: TaskView;
    readonly size: number;
    readonly run: RunView | undefined;
    /** Its row may change with each of its tasks. */
    readonly isSmall: boolean;
    readonly hasManyFolders: boolean;
  },
): GroupRow {
  const { first, size, run, isSmall, hasManyFolders } = of;
  const plan = hasManyFolders ? inFolder(first.folderUri, first.plan) : displayName(first.plan);
  const count = tasksText(size);
  const plain = (label: string, icon: string, isOpen = true): GroupRow => ({
    label,
    description: count,
    icon,
    color: undefined,
    spoken: `${label}, ${count}`,
    context: `group ${kind}`,
    isOpen,
  });
  switch (kind) {
    case 'attention':
      return { ...plain(l10n.t('Needs attention'), 'bell-dot'), color: 'list.warningForeground' };
    case 'run':
      return runRow(run, { plan, count: (isSmall && doneText(run)) || count });
    case 'unrun':
      return plain(l10n.t('Not run yet: {0}', plan), 'circle-outline');
    case 'plan':
      return plain(plan, 'list-tree');
    case 'state': {
      const bucket = BUCKET_NAMES.find((name) => key === `state\n${name}`) ?? 'idle';
      const isOpen = bucket !== 'completed' && bucket !== 'left' && bucket !== 'idle';
      return plain(bucketLabel(bucket), BUCKET_ICONS[bucket], isOpen);
    }
    default:
      return kind satisfies never;
  }
}

const BUCKET_ICONS: Readonly<Record<Bucket, string>> = {
  running: 'play-circle',
  ready: 'play',
  waiting: 'clock',
  blocked: 'circle-slash',
  completed: 'pass',
  left: 'debug-step-over',
  idle: 'circle-outline',
};

function bucketLabel(bucket: Bucket): string {
  switch (bucket) {
    case 'running':
      return l10n.t('Running');
    case 'ready':
      return l10n.t('Ready');
    case 'waiting':
      return l10n.t('Waiting');
    case 'blocked':
      return l10n.t('Cannot start');
    case 'completed':
      return l10n.t('Completed');
    case 'left':
      return l10n.t('Cancelled or skipped');
    case 'idle':
      return l10n.t('Not run yet');
    default:
      return bucket satisfies never;
  }
}

function runRow(
  run: RunView | undefined,
  { plan, count }: { readonly plan: string; readonly count: string },
): GroupRow {
  const at = run === undefined ? '' : clockText(run.requestedAt);
  const spoken = at === '' ? plan : l10n.t('{0}, run at {1}', plan, at);
  const { icon, color, word } = lookOf(run);
  const isLive = run !== undefined && run.status !== 'finished';
  return {
    // Short, so that a narrow view still says how it went.
    label: [plan, at].filter((part) => part !== '').join(' · '),
    description: [word, count].filter((part) => part !== '').join(' · '),
    icon,
    color,
    spoken: [spoken, word, count].filter((part) => part !== '').join(', '),
    context: `group run ${isLive ? 'live' : 'ended'}`,
    isOpen: true,
  };
}

type Outcome = NonNullable<RunView['outcome']>;

export const OUTCOME_ICONS: Readonly<Record<Outcome, string>> = {
  completed: 'pass',
  failed: 'error',
  deadlocked: 'error',
  cancelled: 'circle-slash',
  superseded: 'history',
};

const OUTCOME_COLORS: Readonly<Partial<Record<Outcome, string>>> = {
  completed: 'testing.iconPassed',
  failed: 'testing.iconFailed',
  deadlocked: 'testing.iconFailed',
};

interface Look {
  readonly icon: string;
  readonly color: string | undefined;
  readonly word: string;
}

function look(icon: string, word: string, color?: string): Look {
  return { icon, color, word };
}

function lookOf(run: RunView | undefined): Look {
  if (run === undefined) return look('history', '');
  switch (run.status) {
    case 'active':
      return look('play-circle', runWord('active'));
    case 'stopping':
      return look('stop-circle', l10n.t('is being stopped'));
    case 'paused':
      return look('debug-pause', l10n.t('paused'));
    case 'interrupted':
      return look('debug-pause', runWord('interrupted'), 'list.warningForeground');
    case 'finished':
      break;
    default:
      return run.status satisfies never;
  }
  const { outcome } = run;
  if (outcome === undefined) return look('history', '');
  return look(OUTCOME_ICONS[outcome], runWord(outcome), OUTCOME_COLORS[outcome]);
}

/** Groups that are runs go by when they were asked for, the newest first; the others as they are. */
export function groupsInOrder<Group extends { readonly name: GroupName; readonly place: number }>(
  groups: readonly Group[],
  startOf: (group: Group) => number,
): readonly Group[] {
  const rank = ({ name: { kind, key } }: Group): number =>
    kind === 'attention'
      ? -1
      : kind === 'state'
        ? BUCKET_NAMES.findIndex((name) => key === `state\n${name}`)
        : Number(kind === 'unrun');
  return groups.toSorted(
    (a, b) => rank(a) - rank(b) || startOf(b) - startOf(a) || a.place - b.place,
  );
}

/** `3 of 12 done`, while somebody carries it on. */
function doneText(run: RunView | undefined): string {
  if (run === undefined || run.status === 'finished') return '';
  const { done, total } = progressOf([run]);
  return l10n.t('{0} of {1} done', done, total);
}

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly running: number;
  readonly waiting: number;
}

/** How far runs are, all together. */
export function progressOf(runs: readonly RunView[]): Progress {
  const sum = { done: 0, total: 0, running: 0, waiting: 0 };
  for (const { counts } of runs) {
    const { waiting, ready, running, attention, completed, failed, cancelled, skipped } = counts;
    const done = completed + failed + cancelled + skipped;
    sum.done += done;
    sum.total += done + waiting + ready + running + attention;
    sum.running += running;
    sum.waiting += waiting + ready;
  }
  return sum;
}
