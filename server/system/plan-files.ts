import {
  closeSync,
  type Dirent,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { FolderEntry, PlanFiles } from '../board/ports.ts';
import { isPlanFileName } from '../plans/interlock-yaml.ts';
import type { PlanSource } from '../plans/plan-source.ts';

const FOLDER_LIMIT = 20_000;
/** More than a plan may have, so that its reader sees that it is too large; never the whole of it. */
const READ_LIMIT_BYTES = 1024 * 1024 + 16;

/** Plans on disk. Hidden folders and `node_modules` are not looked into. */
export class DiskPlanFiles implements PlanFiles {
  list(root: string): readonly PlanSource[] {
    const found: PlanSource[] = [];
    const folders = [''];
    for (let next = 0; next < folders.length && next < FOLDER_LIMIT; next += 1) {
      const folder = folders[next] ?? '';
      for (const entry of entriesOf(path.join(root, folder))) {
        const relative = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (isSearched(entry)) folders.push(relative);
        else if (entry.isFile() && isPlanFileName(entry.name))
          found.push({ path: relative, kind: 'interlock', files: [relative] });
      }
    }
    return found.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }

  entries(root: string, folder: string): readonly FolderEntry[] {
    const entries = entriesOf(path.join(root, folder));
    return entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
  }

  async *filesBelow(root: string, start: string): AsyncGenerator<string> {
    const isFile = await stat(path.join(root, start)).then(
      (found) => found.isFile(),
      () => false,
    );
    if (isFile) yield start;
    const folders = isFile ? [] : [start];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      // A folder that cannot be read has no files for us.
      const options = { withFileTypes: true } as const;
      const entries = await readdir(path.join(root, folder), options).catch(() => []);
      for (const entry of entries) {
        const inFolder = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (!entry.isDirectory()) yield inFolder;
        else if (entry.name !== '.git' && entry.name !== 'node_modules') folders.push(inFolder);
      }
    }
  }

  isFile(root: string, file: string): boolean {
    return statSync(path.join(root, file), { throwIfNoEntry: false })?.isFile() === true;
  }

  read(root: string, file: string): string | undefined {
    try {
      const opened = openSync(path.join(root, file), 'r');
      try {
        const bytes = Buffer.alloc(Math.min(fstatSync(opened).size, READ_LIMIT_BYTES));
        return bytes.toString('utf8', 0, readSync(opened, bytes)).replace(/^\uFEFF/, '');
      } finally {
        closeSync(opened);
      }
    } catch {
      return undefined;
    }
  }
}

/** A folder that cannot be read has no plans for us. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isSearched(entry: Dirent): boolean {
  return entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules';
}
