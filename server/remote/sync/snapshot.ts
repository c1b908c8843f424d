import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { displayLine } from '../../domain/display-text.ts';
import type { GitStore } from './git-store.ts';
import type { Repository } from './repository.ts';
import { textOf } from './result.ts';

/** A working tree as it is, as commits in a store of ours. */
export interface Snapshot {
  /** What the workspace folder is called from the top of the working tree. */
  readonly prefix: string;
  readonly top: string;
  readonly objectFormat: string;
  /** What the user has set of how files are read. */
  readonly settings: readonly string[];
  /** What is checked out there: the very commit that the user has, where its history is all here. */
  readonly head: string;
  /** `head`, or a commit on top of it with what was not committed. */
  readonly sent: string;
  /** The same without what git ignores; absent where nothing of that is in it. */
  readonly plain?: string;
  /** The commit that the user has; what comes back goes on top of it. */
  readonly base: string | undefined;
  /** What is known to be left out, as sentences. */
  readonly notices: readonly string[];
}

/**
 * Reads a working tree without touching its index, its stash or itself. What is ignored is not in it,
 * what git tracks is, and files are as they lie there: no filter has seen them.
 */
export async function takeSnapshot(store: GitStore, repository: Repository): Promise<Snapshot> {
  const { top, prefix, commonFolder, objectFormat, head, isPartial, settings } = repository;
  readObjectsOf(store, commonFolder);
  const name = createHash('sha256').update(top).digest('hex').slice(0, 16);
  const [kept, index] = [`index-${name}`, `index-${name}.${process.pid}`].map((each) =>
    store.fileOf(each),
  );
  // It knows which files are as they were, so that only the others are read again.
  copyIndex(kept!, index!);
  const inTree = {
    cwd: top,
    env: { GIT_WORK_TREE: top, GIT_INDEX_FILE: index! },
    settings,
  };
  const own = await addAll(store, repository, inTree);
  const tree = await store.text(['write-tree'], inTree);
  renameSync(index!, kept!);
  const notices = noticesOf(own);
  const common = { top, prefix, objectFormat, settings, base: head, notices };
  if (head === undefined || isPartial) {
    const all = await commit(store, { tree, message: 'All that there is' });
    return { ...common, head: all, sent: all };
  }
  if ((await store.text(['rev-parse', `${head}^{tree}`])) === tree)
    return { ...common, head, sent: head };
  const sent = await commit(store, { tree, parents: [head], message: 'Not committed yet' });
  return { ...common, head, sent };
}

export async function commit(
  store: GitStore,
  { tree, parents = [], message }: CommitFields,
): Promise<string> {
  const words = parents.flatMap((parent) => ['-p', parent]);
  return await store.text(['commit-tree', tree, ...words], { input: `${message}\n` });
}

interface CommitFields {
  readonly tree: string;
  readonly parents?: readonly string[];
  readonly message: string;
}

/** A file that was written since then is read again, even if it looks as it did: its time has to stay. */
function copyIndex(from: string, to: string): void {
  rmSync(to, { force: true });
  const stat = statSync(from, { throwIfNoEntry: false });
  if (stat === undefined) return;
  copyFileSync(from, to);
  const seconds = Math.floor(stat.mtimeMs) / 1000;
  utimesSync(to, seconds, seconds);
}

/** Answers with the repositories that lie in the tree. */
async function addAll(
  store: GitStore,
  { trackedAnyway }: Repository,
  inTree: Parameters<GitStore['run']>[1],
): Promise<readonly string[]> {
  const found = await store.names(['ls-files', '-z', '-o', '--exclude-standard'], inTree);
  const own = found.filter((name) => name.endsWith('/')).map((name) => name.slice(0, -1));
  const pathspecs = ['.', ...own.map((name) => `:(exclude,literal)${name}`)];
  const fromInput = ['--pathspec-from-file=-', '--pathspec-file-nul'];
  await store.run(['add', '-A', ...fromInput], { ...inTree, input: stdinOf(pathspecs) });
  if (trackedAnyway.length > 0)
    await store.run(['update-index', '-z', '--add', '--remove', '--stdin'], {
      ...inTree,
      input: stdinOf(trackedAnyway),
    });
  await removeIgnored(store, new Set(trackedAnyway), inTree);
  return own;
}

/** What was tracked when the tree was read before, and is not any more. */
async function removeIgnored(
  store: GitStore,
  tracked: ReadonlySet<string>,
  inTree: Parameters<GitStore['run']>[1],
): Promise<void> {
  const ignored = await store.names(['ls-files', '-z', '-c', '-i', '--exclude-standard'], inTree);
  const stale = ignored.filter((name) => !tracked.has(name));
  if (stale.length === 0) return;
  await store.run(['update-index', '-z', '--force-remove', '--stdin'], {
    ...inTree,
    input: stdinOf(stale),
  });
}

function noticesOf(own: readonly string[]): readonly string[] {
  if (own.length === 0) return [];
  const names = own.slice(0, 3).map((name) => displayLine(textOf(name)));
  const more = own.length > names.length ? ` and ${own.length - names.length} more` : '';
  return [
    `Not sent, because each is a repository of its own: ${names.join(', ')}${more}. A task there that needs a submodule has to fetch it.`,
  ];
}

/** What the repository ignores by a file beside its objects counts too. */
function readObjectsOf(store: GitStore, commonFolder: string | undefined): void {
  mkdirSync(store.fileOf('info'), { recursive: true });
  for (const name of ['info/exclude', 'info/attributes', 'shallow']) {
    const file = commonFolder === undefined ? undefined : path.join(commonFolder, name);
    if (file !== undefined && existsSync(file)) copyFileSync(file, store.fileOf(name));
    else rmSync(store.fileOf(name), { force: true });
  }
  const objects = commonFolder === undefined ? '' : `${path.join(commonFolder, 'objects')}\n`;
  writeFileSync(store.fileOf('objects/info/alternates'), objects);
}

export function stdinOf(names: readonly string[]): Buffer {
  return Buffer.from(names.map((name) => `${name}\0`).join(''), 'latin1');
}
