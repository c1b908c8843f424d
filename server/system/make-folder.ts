import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes a folder for this user only, and those above it. One level at a time: in some places, such as
 * `/proc`, Node.js's own recursive way tries for ever.
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it in this moment.
    if (!existsSync(folder)) throw error;
  }
}
