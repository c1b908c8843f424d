import path from 'node:path';
import type { BoardWorld } from '../board/ports.ts';

/** Longer paths cannot be opened. */
const PATH_LIMIT = process.platform === 'win32' ? 32 * 1024 : 4096;

type Looking = Pick<BoardWorld, 'folderInTree' | 'realFolder' | 'realInTree'>;

/**
 * Where a file really is, from the top of the working tree; nothing where it is in another one. A path
 * that is not absolute counts from the folder.
 */
export function pathInTree(root: string, world: Looking, file: string): string | undefined {
  if (file === '' || file.includes('\0')) return undefined;
  const inTree = world.folderInTree(root);
  const top = inTree === '' ? root : root.slice(0, -inTree.length - 1);
  const whole = path.resolve(root, file);
  if (whole.length > PATH_LIMIT) return undefined;
  const { folder, rest } = realStart(world, whole);
  const fromTop = path.relative(top, path.join(folder, rest));
  if (fromTop === '' || fromTop.split(path.sep)[0] === '..' || path.isAbsolute(fromTop))
    return undefined;
  const real = world.realInTree(top, fromTop.split(path.sep).join('/'));
  return real.kind === 'inside' ? real.path : undefined;
}

/**
 * The deepest folder on the way that exists, without links; others come with the file. A path may name
 * thousands of folders, so that one is found by halving: below a folder that is missing none exists.
 */
function realStart(
  world: Looking,
  file: string,
): { readonly folder: string; readonly rest: string } {
  const ends = endsOf(path.dirname(file));
  let [first, last] = [0, ends.length];
  let found = { folder: path.parse(file).root, rest: path.relative(path.parse(file).root, file) };
  while (first < last) {
    const middle = Math.floor((first + last) / 2);
    const at = file.slice(0, ends[middle]);
    const folder = world.realFolder(at);
    if (folder === undefined) last = middle;
    else {
      found = { folder, rest: path.relative(at, file) };
      first = middle + 1;
    }
  }
  return found;
}

/** Where the name of each folder on the way ends. */
function endsOf(folder: string): readonly number[] {
  const ends: number[] = [];
  const { root } = path.parse(folder);
  if (folder === root) return [root.length];
  for (
    let at = folder.indexOf(path.sep, root.length);
    at !== -1;
    at = folder.indexOf(path.sep, at + 1)
  )
    ends.push(at);
  return [root.length, ...ends, folder.length];
}
