/**
 * Which names of files that come from a host may be written here. A name may be read by a file system
 * that folds case, drops trailing dots and spaces, or knows streams and short names, so what any of them
 * takes for `.git` is refused everywhere, as git's own `fsck` does.
 */

/** Code points that HFS+ ignores in names. */
const IGNORED = /[\u200C-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]/g;

/** Whether some file system takes one part of a path for the folder of git. */
export function isGitName(part: string): boolean {
  return part.split('\\').some((each) => {
    if (each.replaceAll(IGNORED, '').toLowerCase() === '.git') return true;
    const [plain = ''] = each.split(':', 1);
    const short = plain.replace(/[ .]+$/, '').toLowerCase();
    return short === '.git' || short === 'git~1';
  });
}

/** Why no file may have this as one part of its path, as a clause; undefined where it may. */
export function nameFault(part: string): string | undefined {
  if (part === '') return 'a name is empty';
  if (part === '.' || part.split('\\').includes('..')) return 'a name leads to another folder';
  if (part.includes('/')) return 'a name has a slash in it';
  return isGitName(part) ? "a name is that of git's own folder" : undefined;
}

/** The same of all parts of a path. */
export function pathFault(path: string): string | undefined {
  for (const part of path.split('/')) {
    const fault = nameFault(part);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
