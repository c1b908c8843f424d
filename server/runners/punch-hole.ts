import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';

/** It comes with Linux; where it does not, nothing can be given back. */
const PUNCHER = 'fallocate';

/**
 * Gives the blocks of a part of a file back to the disk; what is behind it stays where it is, and
 * whoever writes there is not disturbed. Answers whether the system can.
 */
export async function punchHole(
  file: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const part = ['--offset', String(from), '--length', String(to - from)];
  try {
    // By the time that it is punched another file may have its name.
    await using opened = await open(file, 'r+');
    return await new Promise((resolve) => {
      const puncher = spawn(PUNCHER, ['--punch-hole', ...part, '/proc/self/fd/3'], {
        stdio: ['ignore', 'ignore', 'ignore', opened.fd],
      });
      puncher.once('error', () => resolve(false));
      puncher.once('exit', (code) => resolve(code === 0));
    });
  } catch {
    return false;
  }
}
