import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A folder for the `PATH` in which `ssh` knows the hosts of this configuration, and no others. */
export function sshOfUser(folder: string, configFile: string): string {
  const bin = path.join(folder, '.bin');
  const program = path.join(bin, 'ssh');
  mkdirSync(bin, { recursive: true });
  writeFileSync(program, `#!/bin/sh\nexec /usr/bin/ssh -F '${configFile}' "$@"\n`);
  chmodSync(program, 0o755);
  return bin;
}
