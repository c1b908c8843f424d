import path from 'node:path';
import type { BoardWorld } from '../board/ports.ts';

/** No system opens a longer one, and every folder on the way is looked for. */
const PATH_LIMIT = 32 * 1024;

type Looking = Pick<BoardWorld, 'folderInTree' | 'realFolder' | 'realInTree'>;

/**
 * Where a file really is, from the top of the working tree; nothing where it is in another one. A path
 * that is not absolute counts from the folder.
 */
export function pathInTree(root: string, world: Looking, file: string): string | undefined {
  if (file === '' || file.length > PATH_LIMIT || file.includes('\0')) return undefined;
  const inTree = world.folderInTree(root);
  const top = inTree === '' ? root : root.slice(0, -inTree.length - 1);
  const whole = path.resolve(root, file);
  const { folder, rest } = realStart(world, whole);
  const fromTop = path.relative(top, path.join(folder, rest));
  if (fromTop === '' || fromTop.split(path.sep)[0] === '..' || path.isAbsolute(fromTop))
    return undefined;
  const real = world.realInTree(top, fromTop.split(path.sep).join('/'));
  return real.kind === 'inside' ? real.path : undefined;
}

/** The folder that is there already, without links on the way to it: others come with the file. */
function realStart(
  world: Looking,
  file: string,
): { readonly folder: string; readonly rest: string } {
  for (let at = path.dirname(file); ; at = path.dirname(at)) {
    const folder = world.realFolder(at);
    if (folder !== undefined) return { folder, rest: path.relative(at, file) };
    if (path.dirname(at) === at) return { folder: at, rest: path.relative(at, file) };
  }
}
