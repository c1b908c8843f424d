import { mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** A fresh folder that goes when the test ends, and with it whatever still runs there. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'interlock-test-')));
  onTestFinished(() => {
    killInside(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return folder;
}

/** Commands outlive whoever has started them, and would wait for ever for what no test does any more. */
function killInside(folder: string): void {
  if (process.platform !== 'linux') return;
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid || !isInside(name, folder)) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}

function isInside(name: string, folder: string): boolean {
  try {
    const place = readlinkSync(`/proc/${name}/cwd`);
    return place === folder || place.startsWith(`${folder}/`);
  } catch {
    return false;
  }
}
