import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** Where a program really lies, or undefined when the machine does not have it. */
export function onPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const found = folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
  return found === undefined ? undefined : realpathSync(found);
}
