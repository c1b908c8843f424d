import os from 'node:os';
import path from 'node:path';

/** Where this user keeps what they tell programs. */
export function configHome(env: NodeJS.ProcessEnv): string {
  const home = os.homedir();
  if (process.platform === 'win32')
    return path.join(env.APPDATA ?? path.join(home, 'AppData', 'Roaming'), 'interlock');
  // An empty or relative value is to be ignored, says the XDG Base Directory Specification.
  const xdg = env.XDG_CONFIG_HOME;
  const base = xdg !== undefined && path.isAbsolute(xdg) ? xdg : path.join(home, '.config');
  return path.join(base, 'interlock');
}
