import path from 'node:path';

/**
 * What a path is called from a folder, with `/`: empty for the folder itself, nothing for what is not
 * in it. A name may begin with two dots.
 */
export function pathInside(folder: string, target: string): string | undefined {
  const relative = path.relative(folder, target);
  if (relative.split(path.sep)[0] === '..' || path.isAbsolute(relative)) return undefined;
  return relative.replaceAll(path.sep, '/');
}
