import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** In a board's directory: the folders that it was opened for, a line each. */
const FOLDERS = 'folders';
/** Of the same directory: it is there while somebody decides for the board. */
const PASS = 'token';

interface Place {
  /** The board's directory. */
  readonly directory: string;
  /** A folder that the board is for, without links. */
  readonly folder: string;
}

/** Writes down which folder a board is for, so that others can tell that theirs lies in it. */
export function noteFolder({ directory, folder }: Place): void {
  const known = foldersOf(directory);
  if (known.includes(folder)) return;
  try {
    writeFileSync(path.join(directory, FOLDERS), `${[...known, folder].join('\n')}\n`);
  } catch {
    // Whether the directory can be used at all is said by whoever needs it.
  }
}

/**
 * The folders of other boards that lie in this one or around it, and that somebody decides for now.
 * Tasks of two boards know nothing of each other's paths.
 */
export function neighboursOf({ directory, folder }: Place): readonly string[] {
  const boards = path.dirname(directory);
  return namesIn(boards)
    .map((name) => path.join(boards, name))
    .filter((other) => other !== directory && existsSync(path.join(other, PASS)))
    .flatMap((other) => foldersOf(other))
    .filter((other) => contains(folder, { inner: other }) || contains(other, { inner: folder }));
}

/** What the user is told of them; nothing where there are none. */
export function neighbourNotice(folder: string, neighbours: readonly string[]): string | undefined {
  const [other] = neighbours;
  if (other === undefined) return undefined;
  const [inner, outer] = contains(folder, { inner: other }) ? [other, folder] : [folder, other];
  return (
    `The folder ${inner} lies inside ${outer}, and each has a board of its own that is in use: neither ` +
    'knows which files the tasks of the other write. Run them one after the other, or open only one of them.'
  );
}

function contains(outer: string, { inner }: { readonly inner: string }): boolean {
  const relative = path.relative(outer, inner);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

function foldersOf(directory: string): readonly string[] {
  try {
    const text = readFileSync(path.join(directory, FOLDERS), 'utf8');
    return text.split('\n').filter((line) => line !== '');
  } catch {
    return [];
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
