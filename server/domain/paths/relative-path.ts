/**
 * Says why a path or path pattern of a plan is refused, or nothing when it stays in the workspace
 * folder. Links that lead out are for whoever opens the path to notice: this looks at text only.
 */
export function refusePath(text: string): string | undefined {
  if (text === '') return 'A path is empty.';
  if (text.includes('\0')) return 'A path cannot contain a NUL character.';
  if (text.includes('\\')) return 'Write "/" between folders, on every system.';
  if (text.startsWith('/') || text.startsWith('~') || /^[A-Za-z]:/.test(text))
    return 'Paths are relative to the workspace folder: no leading "/", "~" or drive letter.';
  if (text.split('/').includes('..')) return 'A path cannot leave the workspace folder with "..".';
  if (text.includes('//')) return 'A path has two slashes in a row.';
  return undefined;
}
