import { readFileSync, readlinkSync } from 'node:fs';
import type { ProcessIdentity } from '../domain/task.ts';
import type { Alarm } from '../engine/ports.ts';

/*
 * Whether the agent behind a server of tools has ended, where the server cannot say so because it was killed
 * as well. Only Linux tells enough for that; elsewhere nothing is known.
 */

/**
 * The process that started this one, if it is the agent itself. A wrapper, such as npx or a shell, passes
 * on what it reads, so its standard input is a pipe or a socket of the agent; that it ended says nothing of
 * the agent. An agent whose own input is a pipe is taken for a wrapper.
 */
export function agentProcess(starter: number): ProcessIdentity | undefined {
  if (process.platform !== 'linux' || starter <= 1) return undefined;
  try {
    if (/^(?:pipe|socket):/.test(readlinkSync(`/proc/${starter}/fd/0`))) return undefined;
    const { startTime } = statOf(starter);
    return { bootId: space(), pid: starter, startTime };
  } catch {
    // It has ended, or may not be looked at.
    return undefined;
  }
}

/** Whether that very process has ended for certain. */
export function hasEnded({ bootId, pid, startTime }: ProcessIdentity): boolean {
  if (process.platform !== 'linux' || bootId !== spaceOrNone()) return false;
  try {
    const found = statOf(pid);
    return found.startTime !== startTime || found.state === 'Z' || found.state === 'X';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === 'ENOENT' || code === 'ESRCH';
  }
}

const LOOK_MS = 250;
/** So many are looked for at a time: each costs a read of a small file per look. */
const WATCHES = 100;

/** Looks for a while whether processes have ended. */
export class AgentEnds implements Disposable {
  readonly #alarm: Pick<Alarm, 'after'>;
  readonly #watches = new Set<{ due: Disposable | undefined }>();

  constructor(alarm: Pick<Alarm, 'after'>) {
    this.#alarm = alarm;
  }

  /** Calls back once, if that process ends within the time. */
  watch(agent: ProcessIdentity, forMs: number, onEnded: () => void): void {
    if (this.#watches.size >= WATCHES) return;
    const watch: { due: Disposable | undefined } = { due: undefined };
    const look = (looks: number): void => {
      const isOver = hasEnded(agent);
      if (isOver || looks === 0) this.#watches.delete(watch);
      else watch.due = this.#alarm.after(LOOK_MS, () => look(looks - 1));
      if (isOver) onEnded();
    };
    this.#watches.add(watch);
    look(Math.ceil(forMs / LOOK_MS));
  }

  [Symbol.dispose](): void {
    for (const { due } of this.#watches) due?.[Symbol.dispose]();
    this.#watches.clear();
  }
}

function spaceOrNone(): string | undefined {
  try {
    return space();
  } catch {
    return undefined;
  }
}

/** Numbers of processes mean something only within one start of the machine and one container. */
function space(): string {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
}

/** The name in brackets may hold spaces; the state is field 3 of proc(5), the start time field 22. */
function statOf(pid: number): { readonly state: string; readonly startTime: string } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', startTime: fields[19] ?? '' };
}
