import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessIdentity } from '../domain/task.ts';
import type { ProcessTable } from './process-identity.ts';
import { signalGroup } from './signals.ts';
import { isAbsent } from './system-error.ts';

const GRACE_MS = 5000;
const KILLED_MS = 5000;
const LOOK_AGAIN_MS = 50;

/**
 * Waits until a process group that was asked to end is gone, and forces what is left of it after the
 * grace. Answers whether it is gone.
 */
export async function awaitGroupEnd(
  leader: ProcessIdentity,
  processes: ProcessTable,
): Promise<boolean> {
  if (await isGoneWithin(GRACE_MS, { leader, processes })) return true;
  return await killGroup(leader, processes);
}

export async function killGroup(
  leader: ProcessIdentity,
  processes: ProcessTable,
): Promise<boolean> {
  if (!isGone(leader, processes)) signalGroup(leader.pid, 'SIGKILL');
  return await isGoneWithin(KILLED_MS, { leader, processes });
}

async function isGoneWithin(
  limitMs: number,
  { leader, processes }: { leader: ProcessIdentity; processes: ProcessTable },
): Promise<boolean> {
  let pauseMs = 1;
  for (let waitedMs = 0; waitedMs < limitMs; waitedMs += pauseMs) {
    if (isGone(leader, processes)) return true;
    await delay(pauseMs);
    pauseMs = Math.min(pauseMs * 2, LOOK_AGAIN_MS);
  }
  return isGone(leader, processes);
}

function isGone(leader: ProcessIdentity, processes: ProcessTable): boolean {
  if (!signalGroup(leader.pid, 0)) return true;
  try {
    // The number belongs to somebody else by now, so the group that had it was empty.
    return processes.isReused(leader) || !hasLivingMember(leader.pid);
  } catch {
    // Nobody can look now.
    return false;
  }
}

/** The dead that their parent takes no note of still count as a group for the system. */
function hasLivingMember(group: number): boolean {
  if (process.platform !== 'linux') return true;
  return readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [state, , foundGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return Number(foundGroup) === group && state !== 'Z' && state !== 'X';
    } catch (error) {
      if (isAbsent(error)) return false;
      throw error;
    }
  });
}
