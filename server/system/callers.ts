import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { textHash } from '../domain/text-hash.ts';

/** Nobody starts a program through more programs than that. */
const CALLERS_LIMIT = 12;

/**
 * A mark for each process that started this one, directly or through others, the nearest first. Two
 * programs that one agent has started have its mark in common. Empty where the system does not say.
 */
export function callersOf(pid: number): readonly string[] {
  const marks: string[] = [];
  const boot = bootId();
  for (let at = pid; at > 1 && marks.length < CALLERS_LIMIT;) {
    const found = lookAt(at);
    if (found === undefined) break;
    // Who reads its number alone would take a later process for it.
    const identity = `${boot} ${at} ${found.startTime}`;
    marks.push(textHash(identity).slice(-8));
    at = found.parent;
  }
  return marks;
}

interface Caller {
  readonly parent: number;
  readonly startTime: string;
}

function lookAt(pid: number): Caller | undefined {
  if (process.platform === 'win32') return undefined;
  const fields = process.platform === 'linux' ? fieldsOfStat(pid) : fieldsOfPs(pid);
  const [parent, startTime] = fields;
  if (parent === undefined || startTime === undefined) return undefined;
  return { parent: Number(parent), startTime };
}

/** The name in brackets may hold spaces; the parent is field 4 of proc(5), the start time field 22. */
function fieldsOfStat(pid: number): readonly (string | undefined)[] {
  const stat = textOf(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [fields[1], fields[19]];
}

function fieldsOfPs(pid: number): readonly (string | undefined)[] {
  const args = ['-o', 'ppid=,lstart=', '-p', String(pid)];
  const line = spawnSync('ps', args, { encoding: 'utf8' }).stdout ?? '';
  return /^\s*(\d+)\s+(\S.*\S)/.exec(line)?.slice(1) ?? [];
}

function bootId(): string {
  return process.platform === 'linux' ? textOf('/proc/sys/kernel/random/boot_id').trim() : '';
}

/** Nothing where the process has gone, or may not be looked at. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
