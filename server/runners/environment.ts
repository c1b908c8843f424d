import path from 'node:path';
import type { Launch } from '../engine/ports.ts';

/** What a command inherits; everything else, editor internals and tokens included, stays behind. */
const INHERITED = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  // Windows cannot start most programs without these.
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'COMSPEC',
  'PATHEXT',
  'TEMP',
  'TMP',
  'USERPROFILE',
  'USERNAME',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'PROGRAMFILES',
]);

/** What every command of a board has in its environment. */
export function baseEnvironment(parentEnv: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const inherited = Object.entries(parentEnv).flatMap(([name, value]) => {
    const isInherited = INHERITED.has(name.toUpperCase()) || name.startsWith('LC_');
    return isInherited && value !== undefined ? [[name, value] as const] : [];
  });
  const base = Object.fromEntries(inherited);
  const stateFolder = parentEnv['INTERLOCK_STATE_DIR'];
  // The command line finds the board from inside a task as well, whatever folder it runs in.
  return stateFolder ? { ...base, INTERLOCK_STATE_DIR: path.resolve(stateFolder) } : base;
}

const OF_TERMINAL = ['TERM', 'COLORTERM', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'NO_COLOR'];

/** What a command has to know of the terminal that it is in. */
export function terminalEnvironment(
  parentEnv: NodeJS.ProcessEnv,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    OF_TERMINAL.flatMap((name) => {
      const value = parentEnv[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/**
 * What one command has beside that.
 *
 * What agents leave out of the environment of what they start, as it may be secret, goes by names: Codex
 * leaves out all with KEY, SECRET or TOKEN in it, Gemini CLI also AUTH, CERT and others. So the proof is
 * called by none of these.
 */
export function taskEnvironment(
  { definition, root, run, attempt, term }: Launch,
  proof?: string,
): Readonly<Record<string, string>> {
  return {
    ...definition.env,
    INTERLOCK_BOARD: root,
    INTERLOCK_TASK: definition.id,
    INTERLOCK_RUN: run,
    INTERLOCK_ATTEMPT: String(attempt),
    INTERLOCK_TERM: String(term),
    ...(proof !== undefined && { INTERLOCK_PROOF: proof }),
  };
}
