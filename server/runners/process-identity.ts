import { readFileSync } from 'node:fs';
import { execaSync } from 'execa';
import type { ProcessIdentity } from '../domain/task.ts';

/** Who a process is, so that a later process with the same number is never taken for it. */
export function readIdentity(pid: number): ProcessIdentity {
  return { bootId: readBootId(), pid, startTime: readStartTime(pid) ?? '' };
}

/** Whether this very process still exists; unknown counts as no, so nothing strange is signalled. */
export function isAlive(identity: ProcessIdentity): boolean {
  const startTime = readStartTime(identity.pid);
  return (
    startTime !== undefined && startTime === identity.startTime && readBootId() === identity.bootId
  );
}

function readBootId(): string {
  if (process.platform === 'linux')
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  if (process.platform !== 'darwin') return '';
  return execaSync('sysctl', ['-n', 'kern.bootsessionuuid'], { reject: false }).stdout;
}

function readStartTime(pid: number): string | undefined {
  if (process.platform === 'win32') return undefined;
  if (process.platform !== 'linux') {
    const { stdout } = execaSync('ps', ['-o', 'lstart=', '-p', String(pid)], { reject: false });
    return stdout.trim() || undefined;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold spaces; field 22 of proc(5) is the 20th behind it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
