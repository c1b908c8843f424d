import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { RealPath } from '../board/ports.ts';
import { pathInside } from './path-inside.ts';

/** As many as the systems themselves follow. */
const LINKS_LIMIT = 40;

/**
 * Where a path of a tree really is, with all links on the way followed, its own included. What is not
 * there yet counts as the file that would be made. A link that leads out of the tree is refused.
 */
export function realInTree(root: string, file: string): RealPath {
  const top = realFolder(root);
  if (top === undefined) return refused(`The folder ${root} is not there any more.`);
  const left = file.split('/').toReversed();
  let at = top;
  for (let links = 0; left.length > 0;) {
    const name = left.pop()!;
    if (name === '' || name === '.') continue;
    at = path.join(at, name);
    const found = targetOf(at);
    if (found === 'missing') {
      // Nothing is below it, and a path may name thousands of folders.
      if (left.includes('..')) continue;
      at = path.join(at, ...left.toReversed());
      break;
    }
    if (found !== undefined) {
      const target = found.link;
      links += 1;
      if (links > LINKS_LIMIT)
        return refused(`"${file}" goes through links that lead to each other.`);
      const { root: start } = path.parse(target);
      at = start === '' ? path.dirname(at) : start;
      left.push(...target.slice(start.length).split(path.sep).toReversed());
    }
  }
  const inside = pathInside(top, at);
  if (inside === undefined)
    return refused(`"${file}" leads out of the folder, to ${at}. Name a path inside of it.`);
  return { kind: 'inside', path: inside };
}

/** A folder may be removed while its files are open. */
function realFolder(root: string): string | undefined {
  try {
    return realpathSync.native(root);
  } catch {
    return undefined;
  }
}

function refused(message: string): RealPath {
  return { kind: 'refused', message };
}

/** Undefined: no link, or one that cannot be looked at, which nobody could write through. */
function targetOf(file: string): { readonly link: string } | 'missing' | undefined {
  try {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return 'missing';
    return stats.isSymbolicLink() ? { link: readlinkSync(file) } : undefined;
  } catch {
    return undefined;
  }
}
