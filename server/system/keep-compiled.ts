import { existsSync, lstatSync, mkdirSync, statSync, type Stats } from 'node:fs';
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { stateHome } from './state-home.ts';

/**
 * Compiling takes longer than most of what is then done. What was compiled is kept where something is
 * kept anyway.
 *
 * Invariant: compiled code is read only from a folder of this user that others cannot write to.
 */
export function keepCompiled(env: NodeJS.ProcessEnv): void {
  const folder = compiledFolder(stateHome(env));
  if (folder !== undefined) enableCompileCache(folder);
}

/** Where compiled code may be kept; undefined if that is nowhere. */
export function compiledFolder(home: string): string | undefined {
  const folder = path.join(home, 'compiled');
  try {
    if (!existsSync(home) || !isPrivate(statSync(home))) return undefined;
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    // The user may have put a link in the place of the state directory, but nobody makes one of this.
    return isPrivate(lstatSync(folder)) ? folder : undefined;
  } catch {
    // It works without, only slower.
    return undefined;
  }
}

function isPrivate(stats: Stats): boolean {
  const own = process.geteuid?.();
  if (!stats.isDirectory()) return false;
  return own === undefined || (stats.uid === own && (stats.mode & 0o022) === 0);
}
