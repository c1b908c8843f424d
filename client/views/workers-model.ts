import * as l10n from '@vscode/l10n';
import type { BoardView, Hold, Use, WorkerView } from '../../protocol/workers.ts';
import { codeText, plainText } from '../markdown.ts';
import { elapsedText, runningText } from '../time.ts';
import { keyOfWorker, type WorkerList } from '../worker-list.ts';
import { hostLines, hostLook, hostsSummary } from './hosts-model.ts';

/** A row of the Workers view. Folders get a row of their own only when there are several. */
export type WorkerNode =
  | { readonly kind: 'folder'; readonly key: string; readonly folderUri: string }
  /** All hosts of a folder. */
  | { readonly kind: 'hosts'; readonly key: string; readonly folderUri: string }
  | { readonly kind: 'worker'; readonly key: string }
  | { readonly kind: 'hold'; readonly key: string; readonly worker: string };

/** How a row looks; icons and colours are VS Code's own names. */
export interface WorkerRow {
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  readonly color: string | undefined;
  /** Markdown. */
  readonly tooltip: string;
  /** Read out by screen readers. */
  readonly spoken: string;
  /** Words that the `when` clauses of menus look for. */
  readonly context: string;
}

const ICONS = {
  runner: 'vm',
  host: 'remote',
  agent: 'robot',
  person: 'person',
  terminal: 'terminal',
} as const;
const HOLD_ICONS = {
  task: 'circle-filled',
  paths: 'files',
  unsaved: 'edit',
  saved: 'save',
} as const;
/** In a tooltip; nobody reads more. */
const PATHS_LIMIT = 10;
const SECOND = 1000;
/** A lease that ends so soon is coloured. */
const SHORT_MS = 10 * SECOND;

const RUNS_COMMANDS: ReadonlySet<WorkerView['kind']> = new Set(['runner', 'host', 'terminal']);
const KINDS = ['runner', 'host', 'terminal', 'agent', 'person'] as const;

export function rootNodes(list: WorkerList): readonly WorkerNode[] {
  if (list.boards.length <= 1) return withHosts(list.all);
  return list.boards.map(({ folderUri }) => ({ kind: 'folder', key: folderUri, folderUri }));
}

export function childNodes(node: WorkerNode, list: WorkerList): readonly WorkerNode[] {
  switch (node.kind) {
    case 'folder':
      return withHosts(list.all.filter(({ folderUri }) => folderUri === node.folderUri));
    case 'hosts':
      return workerNodes(hostsOf(list, node));
    case 'worker':
      return (list.get(node.key)?.holds ?? []).map(({ key }) => ({
        kind: 'hold',
        key: `${node.key}\n${key}`,
        worker: node.key,
      }));
    case 'hold':
      return [];
    default:
      return node satisfies never;
  }
}

/** The key by which the server knows what a row stands for. */
export function holdKeyOf({ key, worker }: Extract<WorkerNode, { kind: 'hold' }>): string {
  return key.slice(worker.length + 1);
}

export function workerRow(view: WorkerView, now: number, board?: BoardView): WorkerRow {
  const { kind, isYou, isDrained, trouble, uses, remarks, holds } = view;
  const label = isYou ? l10n.t('{0} (you)', view.name) : workerName(view);
  const host = view.host && hostLook(view.host);
  const isPlain = trouble === '' && (host === undefined || host.words === '');
  const words = [
    ...(isDrained ? [l10n.t('drained')] : []),
    ...(host === undefined || host.words === '' ? [] : [host.words]),
    ...(trouble === '' ? [] : [trouble]),
    ...(isDrained || !isPlain ? [] : [stateText(view)]),
    // Of one that is not there, what it could take is of no interest.
    ...(host === undefined || host.words === '' || holds.length > 0 ? uses.map(useText) : []),
    ...remarks,
    ...(holds.length > 0 && uses.length === 0 ? [holdsText(holds)] : []),
  ];
  const color =
    trouble !== '' ? 'list.warningForeground' : view.state === 'busy' ? 'charts.green' : undefined;
  return {
    label,
    description: words.join(' · '),
    icon: isDrained ? 'debug-pause' : (host?.icon ?? ICONS[kind]),
    color: isDrained ? 'list.warningForeground' : (host?.color ?? color),
    tooltip: workerTooltip(view, { now, board }),
    spoken: [kindText(kind), label, ...words].join(', '),
    context: [
      'worker',
      ...(isYou ? ['you'] : []),
      kind,
      view.state,
      ...(mayBeDrained(view) ? [isDrained ? 'drained' : 'undrained'] : []),
      ...(view.host === undefined ? [] : ['set']),
    ].join(' '),
  };
}

/** One row for all hosts, whatever is with each of them. */
export function hostsRow(views: readonly WorkerView[]): WorkerRow {
  const { text, hasTrouble } = hostsSummary(views);
  const label = l10n.t('Hosts');
  return {
    label,
    description: text,
    icon: 'remote',
    color: hasTrouble ? 'list.warningForeground' : undefined,
    tooltip: l10n.t('Machines of your settings on which tasks may run.'),
    spoken: `${label}, ${text}`,
    context: 'hosts',
  };
}

export function hostsOf(
  list: WorkerList,
  { folderUri }: { readonly folderUri: string },
): readonly WorkerView[] {
  return list.all.filter((view) => view.kind === 'host' && view.folderUri === folderUri);
}

export function holdRow(
  hold: Hold,
  now: number,
  holder?: Pick<WorkerView, 'kind' | 'isYou'>,
): WorkerRow {
  const { what, name, title, expiresAt, since } = hold;
  const isOwn = holder?.isYou === true;
  // Who runs a command renews its lease while it runs: how long it runs says more.
  const isCommand = holder !== undefined && RUNS_COMMANDS.has(holder.kind);
  const lease = isCommand ? l10n.t('for {0}', runningText(since, now)) : leaseText(hold, now);
  const isShort = !isCommand && expiresAt !== undefined && expiresAt - now < SHORT_MS;
  const kind =
    what === 'task'
      ? l10n.t('task')
      : what === 'paths'
        ? l10n.t('taken')
        : what === 'saved'
          ? l10n.t('saved')
          : l10n.t('not saved yet');
  const words = [...(what === 'task' ? [] : [kind]), lease, ...(title === '' ? [] : [title])];
  return {
    label: name,
    description: words.join(' · '),
    icon: HOLD_ICONS[what],
    color: what === 'task' ? (isShort ? 'list.warningForeground' : 'charts.green') : undefined,
    tooltip: holdTooltip(hold, now),
    spoken: [kind, name, lease, ...(title === '' ? [] : [title])].join(', '),
    context: [
      'hold',
      ...(isOwn ? ['own'] : []),
      what,
      // A task of one's own is released by a command of its own.
      ...(hold.takingMeans === undefined || (isOwn && what === 'task') ? [] : ['takeable']),
    ].join(' '),
  };
}

/** What a runner starts is drained with it. */
export function mayBeDrained({ id }: WorkerView): boolean {
  return !id.startsWith('configured/');
}

/** What is out of the ordinary, beside the name of the view or of a folder. */
export function boardText({ isPaused }: BoardView): string {
  return isPaused ? l10n.t('paused') : '';
}

/** The server names this machine in English only. */
export function workerName({ kind, name }: WorkerView): string {
  return kind === 'runner' ? l10n.t('This machine') : name;
}

/** Whether any row shows a time that passes. */
export function hasTimes(list: WorkerList): boolean {
  return list.all.some(
    ({ kind, holds }) =>
      holds.length > 0 &&
      (RUNS_COMMANDS.has(kind) || holds.some(({ expiresAt }) => expiresAt !== undefined)),
  );
}

/** Behind this machine comes one row for all of its hosts. */
function withHosts(views: readonly WorkerView[]): readonly WorkerNode[] {
  const host = views.find(({ kind }) => kind === 'host');
  const others = workerNodes(views.filter(({ kind }) => kind !== 'host'));
  if (host === undefined) return others;
  const { folderUri } = host;
  const machines = views.filter(({ kind }) => kind === 'runner').length;
  return others.toSpliced(machines, 0, { kind: 'hosts', key: `${folderUri}\nhosts`, folderUri });
}

function workerNodes(views: readonly WorkerView[]): readonly WorkerNode[] {
  return views
    .toSorted(
      (a, b) =>
        KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) ||
        Number(b.isYou) - Number(a.isYou) ||
        (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
    )
    .map((view) => ({ kind: 'worker', key: keyOfWorker(view) }));
}

function stateText({ state }: WorkerView): string {
  if (state === 'busy') return l10n.t('busy');
  return state === 'idle' ? l10n.t('idle') : l10n.t('away');
}

function kindText(kind: WorkerView['kind']): string {
  switch (kind) {
    case 'runner':
      return l10n.t('runner');
    case 'host':
      return l10n.t('host');
    case 'agent':
      return l10n.t('agent');
    case 'person':
      return l10n.t('person');
    case 'terminal':
      return l10n.t('terminal');
    default:
      return kind satisfies never;
  }
}

function useText({ what, used, of }: Use): string {
  if (what === 'places') return l10n.t('{0} of {1} places', used, of);
  if (what !== 'memory') return l10n.t('{0} of {1} {2}', used, of, what);
  return l10n.t('{0} of {1} GiB memory', gibibytes(used), gibibytes(of));
}

function gibibytes(bytes: number): string {
  return (bytes / 2 ** 30).toFixed(1);
}

function holdsText(holds: readonly Hold[]): string {
  const [first] = holds;
  return holds.length === 1 ? (first?.name ?? '') : l10n.t('has {0} things', holds.length);
}

/** `lease ends in 4 min 10 s`, or that it has no end. */
function leaseText({ expiresAt, what }: Hold, now: number): string {
  if (expiresAt === undefined)
    return what === 'task' ? l10n.t('until released') : l10n.t('until they let go');
  if (expiresAt <= now) return l10n.t('lease is over');
  return l10n.t('lease ends in {0}', timeText(expiresAt - now));
}

/** What is left is more than nothing until it is over. */
function timeText(durationMs: number): string {
  return elapsedText(Math.ceil(durationMs / SECOND) * SECOND);
}

function workerTooltip(
  view: WorkerView,
  { now, board }: { readonly now: number; readonly board: BoardView | undefined },
): string {
  const decider = board?.isDecidingHere === false ? board.decider : undefined;
  const { isYou, kind, uses, remarks, trouble, isDrained, capabilities, heardAt, host } = view;
  const use = [...uses.map(useText), ...remarks];
  const lines = [
    `**${plainText(workerName(view))}** · ${isYou ? l10n.t('you') : kindText(kind)} · ${stateText(view)}`,
    ...(isDrained ? [l10n.t('Keeps what it has, and is given nothing new.')] : []),
    ...(trouble === '' ? [] : [plainText(trouble)]),
    ...(host === undefined ? [] : [plainText(hostLook(host).words), ...hostLines(host, now)]),
    ...(use.length === 0 ? [] : [plainText(use.join(', '))]),
    ...(capabilities.length === 0
      ? []
      : [l10n.t('Able to do: {0}', plainText(capabilities.join(', ')))]),
    ...(view.kind === 'runner' && decider !== undefined
      ? [l10n.t('What runs is decided by: {0}', plainText(decider))]
      : []),
    ...(heardAt === undefined
      ? []
      : [l10n.t('Last heard of {0} ago', timeText(Math.max(SECOND, now - heardAt)))]),
    codeText(view.id),
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}

function holdTooltip(hold: Hold, now: number): string {
  const { name, title, writes, since } = hold;
  const shown = writes.slice(0, PATHS_LIMIT).map(codeText);
  const left = writes.length - shown.length;
  const more = left > 0 ? [l10n.t('and {0} more', left)] : [];
  return [
    `**${plainText(name)}**${title === '' ? '' : ` · ${plainText(title)}`}`,
    l10n.t('For {0}; {1}', timeText(Math.max(SECOND, now - since)), leaseText(hold, now)),
    ...(shown.length === 0 ? [] : [l10n.t('Writes {0}', [...shown, ...more].join(', '))]),
  ].join('\n\n');
}
