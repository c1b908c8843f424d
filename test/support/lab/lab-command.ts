import { readdirSync, readFileSync } from 'node:fs';

/** What runs on a host. */
export interface LabCommand {
  /** As this machine counts. */
  readonly pid: number;
  readonly parent: number;
  readonly words: string;
  readonly environment: readonly string[];
}

/** Of this machine and of all hosts. */
export function runningCommands(): readonly LabCommand[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? commandOf(name) : []));
}

/** Answers how many there were. */
export function killCommands(commands: readonly LabCommand[]): number {
  for (const { pid } of commands)
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  return commands.length;
}

function commandOf(pid: string): readonly LabCommand[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return [];
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
    return [{ pid: Number(pid), parent: Number(parent), words, environment: environmentOf(pid) }];
  } catch {
    // It has ended meanwhile.
    return [];
  }
}

function environmentOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    // sshd shows its own to root only.
    return [];
  }
}
