import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { StoreError } from '../engine/store-error.ts';
import { stateHome } from './state-home.ts';
import { stateHomeOf } from './state-pointer.ts';
import { isSameFolder, TreeIndex } from './tree-index.ts';
import { foldersUpFrom, workingTreeOf } from './working-tree.ts';

/*
 * Where the board of a folder is. Nothing is made here, and no more is loaded than the hook of an agent needs
 * to ask the process that decides; see `BoardDirectory` for the rest.
 */

export interface BoardPlace {
  /** The folder that was asked about, without links on the way to it. */
  readonly folder: string;
  /** The top of its working tree. */
  readonly tree: string;
  /** The git directory that all worktrees share, if there is one. */
  readonly common: string | undefined;
  /** The state directory. */
  readonly home: string;
  /** The name of the board's directory; undefined if nobody has noted one. */
  readonly noted: string | undefined;
}

export function findBoard(folder: string, env: NodeJS.ProcessEnv): BoardPlace {
  const real = realFolder(folder);
  const { top, common } = workingTreeOf(real);
  const home = stateHomeOf(common, env);
  const index = treesOf(home);
  let noted: string | undefined;
  for (const key of boardKeys({ tree: top, common })) noted ??= index.find(key)?.board;
  return { folder: real, tree: top, common, home, noted };
}

/** The folders by which the board may be known; what all worktrees share first. */
export function boardKeys({
  tree,
  common,
}: Pick<BoardPlace, 'tree' | 'common'>): readonly string[] {
  if (common === undefined) return [tree];
  const main = path.basename(common) === '.git' ? [path.dirname(common)] : [];
  return [...new Set([common, ...main, tree])];
}

/** Whether there may be a board though nobody has noted one: before there was an index, names followed from paths. */
export function mayHaveOldBoard(place: BoardPlace): boolean {
  const names = namesIn(boardsOf(place.home));
  return boardKeys(place).some((key) => {
    const start = `${nameStart(key)}-`;
    return names.some((name) => name.startsWith(start));
  });
}

/** Whether the directory of a board has been made. */
export function boardPathIn({ home, noted }: BoardPlace): string | undefined {
  if (noted === undefined) return undefined;
  const directory = path.join(boardsOf(home), noted);
  return existsSync(directory) ? directory : undefined;
}

export function boardsOf(home: string): string {
  return path.join(home, 'boards');
}

export function treesOf(home: string): TreeIndex {
  return new TreeIndex(path.join(home, 'trees'));
}

/** What the names of boards begin with, so that people can tell them apart. */
export function nameStart(key: string): string {
  return repositoryName(key)
    .replaceAll(/[^A-Za-z0-9._-]/g, '-')
    .slice(0, 40);
}

export function repositoryName(key: string): string {
  return path.basename(path.basename(key) === '.git' ? path.dirname(key) : key);
}

/** Of a folder that is not there: none. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * The folder without links on the way to it, by the path at which it was opened first: a folder that is
 * mounted at two paths, or found by names in other capitals, is one folder. Undefined if it is none.
 */
export function namedFolder(folder: string, env: NodeJS.ProcessEnv): string | undefined {
  try {
    const real = realpathSync.native(folder);
    if (!statSync(real).isDirectory()) return undefined;
    const index = treesOf(stateHome(env));
    for (const at of foldersUpFrom(real)) {
      const known = index.find(at)?.path ?? at;
      if (known === at) continue;
      const named = path.join(known, path.relative(at, real));
      if (isSameFolder(named, real)) return named;
    }
    return real;
  } catch {
    return undefined;
  }
}

/** The folder without links on the way to it. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    const isGone = code === 'ENOENT' || code === 'ENOTDIR';
    const message = isGone
      ? `The folder ${folder} is not there any more. Open it where it is now.`
      : `The folder ${folder} cannot be read (${code}). Make it, and the folders above it, readable.`;
    throw new StoreError('world', message, { cause });
  }
}
