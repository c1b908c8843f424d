import { spawn } from 'node:child_process';
import { programPath } from '../runners/find-program.ts';

/**
 * Gives the terminal of this process to another program, and resolves with its exit code when it is
 * given back; 127 where it cannot be started, as a shell says it.
 */
export async function handOver(
  { file, args }: { readonly file: string; readonly args: readonly string[] },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  return await new Promise((resolve) => {
    const child = spawn(programPath(file, env), args, { env, stdio: 'inherit' });
    child.once('error', () => resolve(127));
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
