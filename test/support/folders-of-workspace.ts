import path from 'node:path';
import type { Workbench } from './workbench.ts';

/** A workspace file in the folder of a workbench; it may name folders beside that one. */
export const WORKSPACE = 'two.code-workspace';

/** A folder `other` beside that of the workbench, or a file of it. */
export function otherFolder({ folder }: Workbench, ...names: readonly string[]): string {
  return path.join(folder, '..', 'other', ...names);
}

/** As a user adds, removes and arranges the folders of a window. */
export function writeFolders(workbench: Workbench, ...folders: readonly string[]): void {
  workbench.write(WORKSPACE, JSON.stringify({ folders: folders.map((each) => ({ path: each })) }));
}
