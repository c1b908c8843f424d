import { type BoardConfig, doneStatus, isTerminal } from './board-config.ts';
import type { FrontmatterChanges, FrontmatterValue } from './edit-frontmatter.ts';
import type { TaskFile } from './task-file.ts';
import { formatTime } from './times.ts';

/** What has become of a task, as its file is to say it. Times are in milliseconds since 1970. */
export type BoardNews =
  | { readonly kind: 'held'; readonly by: string; readonly at: number }
  | { readonly kind: 'done'; readonly by: string; readonly at: number }
  /** Nobody holds it now. */
  | { readonly kind: 'free'; readonly by: string; readonly at: number };

export type BoardMove =
  | {
      readonly kind: 'changes';
      readonly changes: FrontmatterChanges;
      /** What could not be done, as a sentence for the user. */
      readonly notice: string | undefined;
    }
  | { readonly kind: 'refused'; readonly message: string };

/** A board as it is when one of its tasks is to move. */
export interface MovingBoard {
  readonly config: BoardConfig;
  readonly nowMs: number;
  /** Every task file; asked for only where a limit counts them. */
  readonly files: () => readonly TaskFile[];
}

/** What changes in the file of a task, by the rules of its board. */
export function moveOf(task: TaskFile, news: BoardNews, board: MovingBoard): BoardMove {
  const { config, nowMs } = board;
  const isForeign = task.claimedBy !== '' && task.claimedBy !== news.by;
  if (isForeign && isClaimed(task, { config, nowMs })) {
    if (news.kind === 'free') return { kind: 'changes', changes: new Map(), notice: undefined };
    const message = `its file says that "${task.claimedBy}" has claimed it, and "${news.by}" has it here: the file was left as it is.`;
    return { kind: 'refused', message };
  }
  const changes = new Map<string, FrontmatterValue>();
  const notice =
    news.kind === 'free'
      ? undefined
      : moveTo(targetOf(task, news, config), { task, news, board, changes });
  claimChanges(task, { news, config, changes });
  if (changes.size > 0) changes.set('updated', { time: formatTime(nowMs) });
  return { kind: 'changes', changes, notice };
}

/** Whether the claim in a file counts still. */
function isClaimed(
  { claimedBy, claimedAt }: TaskFile,
  { config, nowMs }: Pick<MovingBoard, 'config' | 'nowMs'>,
): boolean {
  if (claimedBy === '') return false;
  const { claimTimeoutMs } = config;
  return claimTimeoutMs === 0 || claimedAt === undefined || nowMs - claimedAt <= claimTimeoutMs;
}

function claimChanges(
  { claimedBy, claimedAt }: TaskFile,
  {
    news,
    config,
    changes,
  }: {
    readonly news: BoardNews;
    readonly config: BoardConfig;
    readonly changes: Map<string, FrontmatterValue>;
  },
): void {
  if (news.kind === 'held') {
    // Others would take a claim that is older than the timeout.
    const isFresh =
      config.claimTimeoutMs === 0 || news.at - (claimedAt ?? 0) < config.claimTimeoutMs / 2;
    if (claimedBy === news.by && claimedAt !== undefined && isFresh) return;
    if (claimedBy !== news.by) changes.set('claimed_by', news.by);
    changes.set('claimed_at', { time: formatTime(news.at) });
  } else if (claimedBy === news.by || (news.kind === 'done' && claimedBy !== '')) {
    changes.set('claimed_by', undefined);
    if (claimedAt !== undefined) changes.set('claimed_at', undefined);
  }
}

/** Nothing where it stays where it is. */
function targetOf(
  { status }: TaskFile,
  news: Exclude<BoardNews, { kind: 'free' }>,
  config: BoardConfig,
): string | undefined {
  const now = status?.text ?? '';
  if (news.kind === 'done') return isTerminal(config, now) ? undefined : doneStatus(config);
  const names = config.statuses.map(({ name }) => name);
  const target = workStatus(config);
  const isThere = names.indexOf(now) >= names.indexOf(target ?? '') && !isTerminal(config, now);
  return isThere ? undefined : target;
}

/** Where tasks are that somebody works on: the first status for holders, or the only one in between. */
function workStatus(config: BoardConfig): string | undefined {
  const active = config.statuses.filter(({ name }) => !isTerminal(config, name));
  const forHolders = active.find(({ isForHolders }) => isForHolders);
  const usual = active.find(({ name }) => name === 'in-progress');
  const between = active.length === 2 ? active[1] : undefined;
  return (forHolders ?? usual ?? between)?.name;
}

/** Answers with why it stays where it is, when a limit keeps it there. */
function moveTo(
  target: string | undefined,
  {
    task,
    news,
    board,
    changes,
  }: {
    readonly task: TaskFile;
    readonly news: BoardNews;
    readonly board: MovingBoard;
    readonly changes: Map<string, FrontmatterValue>;
  },
): string | undefined {
  if (target === undefined) return undefined;
  const full = limitInWay(task, target, board);
  if (full !== undefined) return full;
  const time = { time: formatTime(news.at) };
  const first = board.config.statuses[0]?.name;
  const isDone = isTerminal(board.config, target);
  changes.set('status', target);
  if (!task.hasStarted && (isDone || task.status?.text === first)) changes.set('started', time);
  if (isDone) changes.set('completed', time);
  else if (task.hasCompleted) changes.set('completed', undefined);
  return undefined;
}

function limitInWay(
  task: TaskFile,
  target: string,
  { config, files }: MovingBoard,
): string | undefined {
  const group = config.classes.find(({ name }) => name === task.className?.text);
  const others = (): readonly TaskFile[] => files().filter(({ file }) => file !== task.file);
  const isOpen = ({ status }: TaskFile): boolean => !isTerminal(config, status?.text ?? '');
  // What is done takes no place, though kanban-md counts it.
  if (group !== undefined && group.limit > 0 && !isTerminal(config, target)) {
    const count = others().filter(
      (other) => other.className?.text === group.name && isOpen(other),
    ).length;
    if (count >= group.limit) return limitSentence(`the class "${group.name}"`, group.limit);
  }
  const limit = config.limits.get(target) ?? 0;
  if (group?.bypassesColumn === true || limit === 0) return undefined;
  const count = others().filter(({ status }) => status?.text === target).length;
  return count >= limit ? limitSentence(`"${target}"`, limit) : undefined;
}

function limitSentence(what: string, limit: number): string {
  return `its status in the file stays, because ${what} takes ${limit} at most on this board.`;
}
