import os from 'node:os';
import path from 'node:path';

/** Where this user's programs keep what they have to remember. */
export function stateHome(env: NodeJS.ProcessEnv): string {
  if (env.INTERLOCK_STATE_DIR) return path.resolve(env.INTERLOCK_STATE_DIR);
  const home = os.homedir();
  if (process.platform === 'darwin')
    return path.join(home, 'Library', 'Application Support', 'interlock');
  if (process.platform === 'win32')
    return path.join(env.LOCALAPPDATA ?? path.join(home, 'AppData', 'Local'), 'interlock');
  // An empty or relative value is to be ignored, says the XDG Base Directory Specification.
  const xdg = env.XDG_STATE_HOME;
  const base = xdg !== undefined && path.isAbsolute(xdg) ? xdg : path.join(home, '.local', 'state');
  return path.join(base, 'interlock');
}
