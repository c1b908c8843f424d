import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { stateHome } from './state-home.ts';

/**
 * Compiling takes longer than most of what is then done. What was compiled is kept where only this
 * user writes, and only where something is kept anyway.
 */
export function keepCompiled(env: NodeJS.ProcessEnv): void {
  const home = stateHome(env);
  if (existsSync(home)) enableCompileCache(path.join(home, 'compiled'));
}
