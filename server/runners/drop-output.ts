import { rm } from 'node:fs/promises';
import type { RunId } from '../domain/ids.ts';

/** Takes away the logs of runs that nobody remembers. What cannot be taken away stays. */
export function dropOutput(runs: readonly RunId[], logFolder: (run: RunId) => string): void {
  for (const run of runs) rm(logFolder(run), { recursive: true, force: true }).catch(() => {});
}
