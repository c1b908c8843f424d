import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readTextWithin } from './bounded-read.ts';
import { stateHome } from './state-home.ts';
import { TreeIndex } from './tree-index.ts';

/**
 * Where the state of a repository is, for programs with another environment: Codex starts its servers
 * without the user's XDG_STATE_HOME, and a second state directory would be a second board over one tree.
 * So the git directory, which no clone and no commit carries along, names the state directory in which
 * its board is. INTERLOCK_STATE_DIR goes before it: that is said on purpose.
 *
 * Whoever packed an archive may have written that file. It counts only if the directory that it names
 * is this user's alone, and knows this very git directory by its inode and time of birth.
 */
export function stateHomeOf(common: string | undefined, env: NodeJS.ProcessEnv): string {
  const home = stateHome(env);
  if (env.INTERLOCK_STATE_DIR || common === undefined) return home;
  return pointedHome(common) ?? home;
}

/** Writes down where the board of a repository is, unless that is known already. */
export function pointTo(home: string, common: string): void {
  if (pointedHome(common) !== undefined) return;
  const file = path.join(common, POINTER);
  const fresh = `${file}.${process.pid}`;
  try {
    writeFileSync(fresh, `${home}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(fresh, file);
  } catch {
    // Without it, only programs with another environment miss the board: a read-only repository works.
    rmSync(fresh, { force: true });
  }
}

const POINTER = 'interlock-state';
/** The longest path, and the end of its line. */
const POINTER_BYTES = 4097;

function pointedHome(common: string): string | undefined {
  const home = readTextWithin(path.join(common, POINTER), POINTER_BYTES)?.trimEnd();
  if (home === undefined || !path.isAbsolute(home) || !isOwnAlone(home)) return undefined;
  const isKnown = new TreeIndex(path.join(home, 'trees')).find(common) !== undefined;
  return isKnown ? home : undefined;
}

/** Windows keeps a user's folders for that user. */
function isOwnAlone(folder: string): boolean {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isDirectory()) return false;
  return process.geteuid === undefined
    ? true
    : stats.uid === process.geteuid() && (stats.mode & 0o022) === 0;
}
