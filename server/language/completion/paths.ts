import type { Spot } from './spot.ts';
import type { FolderEntry, Suggestion, Surroundings } from './suggestion.ts';

interface PathValue extends Pick<Suggestion, 'kind' | 'detail' | 'about'> {
  readonly value: string;
}

/** What really lies there: the files and folders of the folder that is typed so far. */
export function pathsFor(
  { before }: Spot,
  { isFolderOnly, around }: { readonly isFolderOnly: boolean; readonly around: Surroundings },
): readonly PathValue[] {
  const typed = before.replace(/^["']/, '');
  const sign = !isFolderOnly && typed.startsWith('!') ? '!' : '';
  const path = typed.slice(sign.length);
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  // Behind a wildcard there is no one folder to look into.
  if (/[*?[\]{}]/.test(folder)) return [];
  const entries = around.entriesOf(folder.replace(/\/$/, ''));
  return entries
    .toSorted(foldersFirst)
    .flatMap((entry) => valuesOf(entry, { at: `${sign}${folder}`, isFolderOnly }));
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
