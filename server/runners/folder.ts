import { mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { Launch } from '../engine/ports.ts';
import { isCertain } from './command-end.ts';
import { codeOf } from './system-error.ts';

/**
 * The real path of the task's folder, or nothing when it is missing or a link leads it outside. Throws
 * where the system cannot tell now.
 */
export function resolveFolder({
  root,
  definition,
}: Pick<Launch, 'root' | 'definition'>): string | undefined {
  try {
    const realRoot = realpathSync.native(root);
    if (definition.cwd === '') return realRoot;
    const folder = realpathSync.native(path.join(realRoot, definition.cwd));
    return folder === realRoot || folder.startsWith(realRoot + path.sep) ? folder : undefined;
  } catch (error) {
    if (isCertain(codeOf(error))) return undefined;
    throw error;
  }
}

export function folderSentence({ definition }: Pick<Launch, 'definition'>): string {
  return `The folder "${definition.cwd}" is not in the workspace folder. Create it, or correct "cwd" in the plan.`;
}

/** Makes each folder for this user only, and only once. */
export class MadeFolders {
  readonly #made = new Set<string>();

  make(folder: string): void {
    if (this.#made.has(folder)) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#made.add(folder);
  }

  /** Somebody has removed it. */
  forget(folder: string): void {
    this.#made.delete(folder);
  }
}
