import { closeSync, type Dirent, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import path from 'node:path';
import type { PlanFiles } from '../board/ports.ts';
import { isPlanFileName } from '../plans/interlock-yaml.ts';

const FOLDER_LIMIT = 20_000;
/** More than a plan may have, so that its reader sees that it is too large; never the whole of it. */
const READ_LIMIT_BYTES = 1024 * 1024 + 16;

/** Plans on disk. Hidden folders and `node_modules` are not looked into. */
export class DiskPlanFiles implements PlanFiles {
  list(root: string): readonly string[] {
    const found: string[] = [];
    const folders = [''];
    for (let next = 0; next < folders.length && next < FOLDER_LIMIT; next += 1) {
      const folder = folders[next] ?? '';
      for (const entry of entriesOf(path.join(root, folder))) {
        const relative = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (isSearched(entry)) folders.push(relative);
        else if (entry.isFile() && isPlanFileName(entry.name)) found.push(relative);
      }
    }
    return found.toSorted();
  }

  read(root: string, plan: string): string | undefined {
    try {
      const file = openSync(path.join(root, plan), 'r');
      try {
        const bytes = Buffer.alloc(Math.min(fstatSync(file).size, READ_LIMIT_BYTES));
        return bytes.toString('utf8', 0, readSync(file, bytes)).replace(/^\uFEFF/, '');
      } finally {
        closeSync(file);
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
