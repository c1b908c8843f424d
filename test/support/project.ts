import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

/** A folder with a plan in it. */
export function projectWith(plan: string): string {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'interlock.yaml'), plan);
  return folder;
}
