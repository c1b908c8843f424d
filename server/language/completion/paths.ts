import type { Spot } from './spot.ts';
import type { FolderEntry, Suggestion, Surroundings } from './suggestion.ts';

interface PathValue extends Pick<Suggestion, 'kind' | 'detail' | 'about'> {
  readonly value: string;
}

interface Looking {
  readonly isFolderOnly: boolean;
  /** What is made there is mostly ignored by git. */
  readonly isOfOutputs: boolean;
  readonly around: Surroundings;
}

/** Nobody means these who completes a path: what others have written lies there, or git's own. */
const HIDDEN: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** What really lies there: the files and folders of the folder that is typed so far. */
export function pathsFor(spot: Spot, looking: Looking): readonly PathValue[] {
  const { isFolderOnly } = looking;
  const typed = spot.before.replace(/^["']/, '');
  const brace = isFolderOnly ? -1 : typed.search(/(?<!\[)\{[^{}]*$/);
  if (brace >= 0) return pathsInBraces(spot, { typed, brace, looking });
  const sign = !isFolderOnly && typed.startsWith('!') ? '!' : '';
  const folder = folderIn(typed.slice(sign.length));
  return entriesOf(folder, looking).flatMap((entry) =>
    valuesOf(entry, { at: `${sign}${folder}`, isFolderOnly }),
  );
}

/** One of the alternatives between braces; what is behind it stays. */
function pathsInBraces(
  { range, before, tree }: Spot,
  { typed, brace, looking }: { typed: string; brace: number; looking: Looking },
): readonly PathValue[] {
  const start = Math.max(brace, typed.lastIndexOf(',')) + 1;
  const outside = typed.slice(0, brace).replace(/^!/, '');
  // Half a name before the braces would have to be taken off each of the names.
  if (outside !== folderIn(outside)) return [];
  const inside = folderIn(typed.slice(start));
  const behind = tree.text.slice(range.start + before.length, range.end);
  const rest = behind.replace(/^[^,}"']*/, '').replace(/["']$/, '');
  return entriesOf(outside + inside, looking)
    .filter(({ name }) => !name.includes(','))
    .map(({ name, isFolder }) => ({
      value: `${typed.slice(0, start)}${inside}${escaped(name)}${rest}`,
      kind: isFolder ? 'folder' : 'file',
      detail: '',
      about: '',
    }));
}

function folderIn(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** Behind a wildcard there is no one folder to look into, and none begins with a slash. */
function entriesOf(folder: string, looking: Looking): readonly FolderEntry[] {
  const { isFolderOnly, isOfOutputs, around } = looking;
  const names = isFolderOnly ? folder : folder.replaceAll(/\[([*?[{}])\]/g, '$1');
  const isPlain = isFolderOnly || !/[*?[{}]/.test(folder.replaceAll(/\[[*?[{}]\]/g, ''));
  if (!isPlain || folder.startsWith('/')) return [];
  const entries = around
    .entriesOf(names.replace(/\/$/, ''))
    .filter(({ name }) => !HIDDEN.has(name));
  // Whoever has typed the name of an ignored folder means it.
  const isAllIgnored = entries.every(({ isIgnored }) => isIgnored === true);
  const isShown = ({ isIgnored }: FolderEntry): boolean =>
    isOfOutputs || isAllIgnored || isIgnored !== true;
  return entries.filter(isShown).toSorted(foldersFirst);
}

function foldersFirst(a: FolderEntry, b: FolderEntry): number {
  if (a.isFolder !== b.isFolder) return a.isFolder ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}

function valuesOf(
  { name, isFolder }: FolderEntry,
  { at, isFolderOnly }: { readonly at: string; readonly isFolderOnly: boolean },
): readonly PathValue[] {
  const value = `${at}${isFolderOnly ? name : escaped(name)}`;
  if (!isFolder) return isFolderOnly ? [] : [{ value, kind: 'file', detail: '', about: '' }];
  if (isFolderOnly) return [{ value, kind: 'folder', detail: '', about: '' }];
  const below = { kind: 'folder', detail: 'all below it', about: '' } as const;
  return [
    { value: `${value}/`, kind: 'folder', detail: '', about: 'All below this folder.' },
    { ...below, value: `${value}/**` },
  ];
}

/** A name whose characters would be wildcards is written so that they are themselves. */
function escaped(name: string): string {
  return name.replaceAll(/[*?[{}]/g, '[$&]');
}
