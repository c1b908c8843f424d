import type { BoardWorld, FolderEntry } from './ports.ts';

/** Of more nobody reads a list, and git takes long to answer. */
const ASKED_LIMIT = 5000;

/** What lies in a folder of a workspace folder, and what of that git ignores. */
export async function folderEntries(
  { root, folder }: { readonly root: string; readonly folder: string },
  { files, isIgnored }: Pick<BoardWorld, 'files' | 'isIgnored'>,
): Promise<readonly (FolderEntry & { readonly isIgnored: boolean })[]> {
  const entries = files.entries(root, folder);
  const inRoot = folder === '' ? root : `${root}/${folder}`;
  const isAsked = entries.length <= ASKED_LIMIT;
  return await Promise.all(
    entries.map(async (entry) => ({
      ...entry,
      isIgnored: isAsked && (await isIgnored(`${inRoot}/${entry.name}`)),
    })),
  );
}
