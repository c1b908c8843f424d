import { refusePath } from '../../domain/paths/relative-path.ts';
import type { Surroundings } from './surroundings.ts';

type FoundPath =
  | { readonly kind: 'inside'; readonly path: string }
  | { readonly kind: 'refused'; readonly message: string };

/** A path as an editor takes it, absolute or not, to one in the workspace folder with `/`. */
export function pathInFolder(text: string, surroundings: Surroundings): FoundPath {
  const isWindows = surroundings.platform === 'windows';
  const withSlashes = (path: string): string => (isWindows ? path.replaceAll('\\', '/') : path);
  const root = withSlashes(surroundings.workspaceFolder);
  const path = withSlashes(text);
  const fold = (each: string): string => (isWindows ? each.toLowerCase() : each);
  const isInRoot = fold(`${path}/`).startsWith(fold(`${root}/`));
  const segments: string[] = [];
  for (const segment of (isInRoot ? path.slice(root.length + 1) : path).split('/')) {
    if (segment === '..' && segments.length > 0) segments.pop();
    else if (segment !== '.' && (segment !== '' || (segments.length === 0 && !isInRoot)))
      segments.push(segment);
  }
  const inside = segments.join('/');
  const message = inside === '' ? undefined : refusePath(inside);
  if (message === undefined) return { kind: 'inside', path: inside };
  return { kind: 'refused', message };
}
