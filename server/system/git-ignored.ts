import { execFile } from 'node:child_process';
import path from 'node:path';

const PATIENCE_MS = 5000;

/** Where there is no git, or no repository, nothing is ignored. */
export async function isIgnoredByGit(file: string): Promise<boolean> {
  const args = ['-C', path.dirname(file), 'check-ignore', '--quiet', '--', file];
  return await new Promise((resolve) => {
    execFile('git', args, { timeout: PATIENCE_MS }, (error) => resolve(error === null));
  });
}
