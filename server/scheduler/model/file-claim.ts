import type { RunId, TaskId, WorkerId } from '../../domain/ids.ts';
import { overlap } from '../../domain/paths/overlap.ts';
import { exactPath, parsePathSet } from '../../domain/paths/path-set.ts';
import type { Instant } from '../../domain/time.ts';
import type { BoardModel } from './board-model.ts';
import type { Owner, OwnerName } from './ownership.ts';
import type { TaskEntry } from './run-model.ts';
import { isRunner } from './workers.ts';

/** Somebody else who is at work on a file, as an editor tells of it. */
export interface FileClaim {
  /** The same for as long as it is the same claim. */
  readonly key: string;
  readonly how: 'writes' | 'reads';
  readonly owner: OwnerName;
  readonly worker: WorkerId;
  /** Absent where somebody has taken the file without a task. */
  readonly task: ClaimedTask | undefined;
  /** What it said that holds the file. */
  readonly pattern: string | undefined;
  readonly since: Instant | undefined;
  /** From then on it does not hold the file any more, unless it says so again. */
  readonly until: Instant | undefined;
  /** Nothing breaks before the two are merged. */
  readonly isInOtherTree: boolean;
  /** Whether anybody is there who hears what is asked. */
  readonly hears: boolean;
  /** Whether it can be had without whoever has it: a buffer with changes never. */
  readonly mayBeTaken: boolean;
}

export interface ClaimedTask {
  readonly run: RunId;
  readonly id: TaskId;
  /** Where its plan is. */
  readonly root: string;
  readonly plan: string;
  /** What the patterns of the plan count from, in the working tree. */
  readonly folder: string;
}

/** Who asks about a file. */
interface Asker {
  /** Their working tree. */
  readonly tree: string;
  /** By which names they are at the board. */
  readonly own: readonly WorkerId[];
}

/** Who else writes the file, and who else reads it, in the order in which they came. */
export function claimsOnFile(
  board: BoardModel,
  asked: Asker & { readonly path: string; readonly now: Instant },
): readonly FileClaim[] {
  const { path, tree, now } = asked;
  const { writers, readers } = board.owners.map.ofFile(path, now);
  const found = new Map<string, FileClaim>();
  for (const [how, owners] of [
    ['writes', writers],
    ['reads', readers],
  ] as const)
    for (const owner of owners) {
      if (isIgnored(owner, asked)) continue;
      const claim = claimOf(board, owner, { how, path, tree });
      // A task that wrote more than it declared has two entries, and is one.
      if (!found.has(claim.key)) found.set(claim.key, claim);
    }
  return [...found.values()];
}

/** Nobody is told of themselves; another window of theirs has a text of its own. */
export function isIgnored({ worker, policy, tree }: Owner, asker: Asker): boolean {
  if (asker.own.includes(worker)) return true;
  return tree === asker.tree ? policy?.human === 'ignore' : policy?.worktrees === 'ignore';
}

export function claimOf(
  board: BoardModel,
  owner: Owner,
  of: { readonly how: FileClaim['how']; readonly path: string; readonly tree: string },
): FileClaim {
  const { who, worker, tree } = owner;
  const { how, path } = of;
  const entry = who.kind === 'person' ? undefined : board.find(who.run, who.task);
  const holder = who.kind === 'task' ? entry?.claim?.holder : undefined;
  const since = holder?.kind === 'running' ? holder.startedAt : holder?.claimedAt;
  // That a runner of ours renews its lease is no news to anybody.
  const until = isRunner(worker) ? owner.until : (holder?.expiresAt ?? owner.until);
  return {
    key: keyOf(who, holder?.term),
    how,
    owner: who,
    worker,
    task: entry && taskOf(entry),
    pattern: patternOf(board, who, { entry, how, path }),
    since,
    until,
    isInOtherTree: tree !== of.tree,
    hears: who.kind !== 'leftover' && !isRunner(worker),
    mayBeTaken: who.kind === 'task' || (who.kind === 'person' && !who.isUnsaved),
  };
}

function patternOf(
  { owners }: BoardModel,
  who: OwnerName,
  of: {
    readonly entry: TaskEntry | undefined;
    readonly how: FileClaim['how'];
    readonly path: string;
  },
): string | undefined {
  const { entry, how, path } = of;
  const lists = who.kind === 'person' ? owners.people.get(who.id)?.patterns : entry?.definition;
  const patterns = (how === 'writes' ? lists?.writes : lists?.reads) ?? [];
  const folder = entry?.run.manifest.folder;
  return patterns.find((pattern) => holds({ pattern, folder, path }, owners.rules));
}

/** Whether one pattern of a list has the file; one that takes paths away has none. */
export function holds(
  one: {
    readonly pattern: string;
    readonly folder: string | undefined;
    readonly path: string;
  },
  rules: { readonly foldCase: boolean },
): boolean {
  const { pattern, folder, path } = one;
  return overlap(parsePathSet([pattern], folder), exactPath(path), rules).kind !== 'disjoint';
}

function taskOf({ id, run }: TaskEntry): ClaimedTask {
  const { id: runId, root, plan, folder = '' } = run.manifest;
  return { run: runId, id, root, plan, folder };
}

export function keyOf(who: OwnerName, term: number | undefined): string {
  switch (who.kind) {
    case 'task':
      return `task ${who.run} ${who.task} ${term ?? ''}`;
    case 'leftover':
      return `leftover ${who.term}`;
    case 'person':
      return `person ${who.id}`;
    default:
      return who satisfies never;
  }
}
