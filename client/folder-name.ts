import { displayName } from '../picture/display-text.ts';

interface InFolder {
  readonly folderUri: string;
}

/**
 * Puts the name of the folder before a text where rows of several folders are listed together: each of
 * them may have plans, tasks and workers of the same names.
 */
export function foldersOf(rows: readonly InFolder[]): (row: InFolder, text: string) => string {
  const hasMany = new Set(rows.map(({ folderUri }) => folderUri)).size > 1;
  return ({ folderUri }, text) => (hasMany ? inFolder(folderUri, text) : displayName(text));
}

/** `shop · interlock.yaml`. */
export function inFolder(folderUri: string, text: string): string {
  const last = folderUri.replace(/\/$/, '').split('/').at(-1) ?? folderUri;
  const name = displayName(decodeURIComponent(last));
  return text === '' ? name : `${name} · ${displayName(text)}`;
}
