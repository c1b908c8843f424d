import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { ProcessIdentity } from '../domain/task.ts';
import { isAbsent } from './system-error.ts';

/**
 * Names processes so that a later one with the same number is never taken for an earlier one. Throws
 * where the system does not let us look: nobody may take that for an answer.
 */
export class ProcessTable {
  /** Of this start of the machine; it does not change while we live. */
  readonly bootId = readBootId();

  identify(pid: number): ProcessIdentity {
    return { bootId: this.bootId, pid, startTime: readStartTime(pid) ?? '' };
  }

  /** Whether this very process still exists; unknown counts as no, so nothing strange is signalled. */
  isAlive({ bootId, pid, startTime }: ProcessIdentity): boolean {
    const foundTime = bootId === this.bootId ? readStartTime(pid) : undefined;
    return foundTime !== undefined && foundTime === startTime;
  }

  /** Whether another process has its number by now. */
  isReused({ bootId, pid, startTime }: ProcessIdentity): boolean {
    if (bootId !== this.bootId) return true;
    const foundTime = readStartTime(pid);
    return foundTime !== undefined && foundTime !== startTime;
  }
}

function readBootId(): string {
  if (process.platform === 'linux')
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  if (process.platform !== 'darwin') return '';
  return outputOf('sysctl', ['-n', 'kern.bootsessionuuid']) ?? '';
}

/** Nothing when there is no such process, or it is dead and only waits for its parent to notice. */
function readStartTime(pid: number): string | undefined {
  if (process.platform === 'win32') return undefined;
  if (process.platform !== 'linux') return outputOf('ps', ['-o', 'lstart=', '-p', String(pid)]);
  const [state, startTime] = readStat(pid) ?? [];
  return state === 'Z' || state === 'X' ? undefined : startTime;
}

/** Small and seldom: the library that we start programs with would take longer to load than this. */
function outputOf(program: string, args: readonly string[]): string | undefined {
  return spawnSync(program, args, { encoding: 'utf8' }).stdout?.trim() || undefined;
}

function readStat(pid: number): readonly [string | undefined, string | undefined] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold spaces; state is field 3 of proc(5), the start time field 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [fields[0], fields[19]];
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}
