import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';

const GRACE_MS = 5000;
const LOOK_AGAIN_MS = 20;
const SWEEP_LIMIT = 250;

/** Asks a process group to stop, waits until it is gone, and forces what is left after the grace. */
export async function stopProcessGroup(pid: number): Promise<void> {
  if (process.platform === 'win32') {
    await execa('taskkill', ['/pid', String(pid), '/t', '/f'], { reject: false });
    return;
  }
  signal(-pid, 'SIGTERM');
  for (let waitedMs = 0; waitedMs < GRACE_MS && signal(-pid, 0); waitedMs += LOOK_AGAIN_MS)
    await delay(LOOK_AGAIN_MS);
  signal(-pid, 'SIGKILL');
}

/**
 * Kills every process that carries the marks of a claim in its environment: children that left the
 * process group, which no signal to the group reaches. Only Linux shows other processes' environments.
 */
export async function sweepMarked(mark: { run: string; term: number }): Promise<void> {
  if (process.platform !== 'linux') return;
  // A process that forks while we look is found in the next round.
  for (let round = 0; round < SWEEP_LIMIT; round += 1) {
    const pids = markedProcesses(mark);
    if (pids.length === 0) return;
    for (const pid of pids) signal(pid, 'SIGKILL');
    await delay(LOOK_AGAIN_MS);
  }
}

function markedProcesses({ run, term }: { run: string; term: number }): readonly number[] {
  const marks = [`INTERLOCK_RUN=${run}`, `INTERLOCK_TERM=${term}`];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => {
      try {
        const environment = readFileSync(`/proc/${name}/environ`, 'latin1').split('\0');
        return marks.every((mark) => environment.includes(mark));
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Whether there was anybody to signal. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
}
