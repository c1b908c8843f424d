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

export function taskEnvironment(
  { definition, run, attempt, term }: Launch,
  parentEnv: NodeJS.ProcessEnv,
): Readonly<Record<string, string>> {
  const inherited = Object.entries(parentEnv).flatMap(([name, value]) => {
    const isInherited = INHERITED.has(name.toUpperCase()) || name.startsWith('LC_');
    return isInherited && value !== undefined ? [[name, value] as const] : [];
  });
  return {
    ...Object.fromEntries(inherited),
    ...definition.env,
    INTERLOCK_TASK: definition.id,
    INTERLOCK_RUN: run,
    INTERLOCK_ATTEMPT: String(attempt),
    INTERLOCK_TERM: String(term),
  };
}
