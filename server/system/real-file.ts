import { realpathSync } from 'node:fs';
import path from 'node:path';

/** The file without links on the way to it. What does not exist yet has the place it will have. */
export function realFile(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    const folder = path.dirname(file);
    return folder === file ? file : path.join(realFile(folder), path.basename(file));
  }
}
