import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { readTextWithin } from './bounded-read.ts';

/** A path, a few words around it, and room to spare. */
const LINK_FILE_BYTES = 16 * 1024;

export interface WorkingTree {
  /** The folder with the `.git`; without a repository, the folder that was asked about. */
  readonly top: string;
  /** The git directory that all worktrees of the repository share. */
  readonly common: string | undefined;
}

/** The working tree around a real folder. */
export function workingTreeOf(folder: string): WorkingTree {
  for (const at of upFrom(folder)) {
    const common = gitCommonDirectory(path.join(at, '.git'));
    if (common !== undefined) return { top: at, common };
  }
  return { top: folder, common: undefined };
}

/** Where a real folder lies in its working tree, with `/`; empty if it is the top or in no repository. */
export function folderInTree(folder: string): string {
  return path.relative(workingTreeOf(folder).top, folder).replaceAll(path.sep, '/');
}

/** Whether a folder is a repository, a worktree or a submodule by itself. */
export function hasRepository(folder: string): boolean {
  return gitCommonDirectory(path.join(folder, '.git')) !== undefined;
}

/**
 * A folder and those above it, the nearest first, up to the first one that belongs to another user: a
 * repository there is not the user's, as git sees it, too (`safe.directory`). For root, which often works
 * in a user's files, folders above with the owner of the first one count as well.
 */
export function foldersUpFrom(folder: string): readonly string[] {
  return [...upFrom(folder)];
}

function* upFrom(folder: string): Generator<string, void> {
  const own = process.geteuid?.();
  const owners = new Set([own, own === 0 ? ownerOf(folder) : own]);
  yield folder;
  for (let at = folder; path.dirname(at) !== at;) {
    at = path.dirname(at);
    if (own !== undefined && !owners.has(ownerOf(at))) return;
    yield at;
  }
}

function ownerOf(folder: string): number | undefined {
  try {
    return statSync(folder).uid;
  } catch {
    return undefined;
  }
}

/** A worktree's `.git` is a file that leads to its own git directory, and from there to the shared one. */
function gitCommonDirectory(dotGit: string): string | undefined {
  try {
    if (statSync(dotGit).isDirectory()) return realpathSync(dotGit);
    const text = readTextWithin(dotGit, LINK_FILE_BYTES);
    const target = /^gitdir: (.+)$/m.exec(text ?? '')?.[1];
    if (target === undefined) return undefined;
    const own = realpathSync(path.resolve(path.dirname(dotGit), target));
    if (!statSync(own).isDirectory()) return undefined;
    return commonOf(own) ?? own;
  } catch {
    return undefined;
  }
}

/** Only the git directory of a worktree names another one. */
function commonOf(own: string): string | undefined {
  const text = readTextWithin(path.join(own, 'commondir'), LINK_FILE_BYTES)?.trim();
  try {
    return text ? realpathSync(path.resolve(own, text)) : undefined;
  } catch {
    return undefined;
  }
}
