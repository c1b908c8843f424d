import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessFacts {
  readonly pid: number;
  /** A slot leads a session of its own. */
  readonly isSlot: boolean;
  readonly command: string;
}

/** The living processes that were started with this state folder in their environment. */
export function processesOf(state: string): readonly ProcessFacts[] {
  const mark = `INTERLOCK_STATE_DIR=${state}`;
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid)) return [];
    const variables = read(`/proc/${pid}/environ`).split('\0');
    if (!variables.includes(mark)) return [];
    const stat = read(`/proc/${pid}/stat`);
    const [life = 'X', , , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (life === 'Z' || life === 'X') return [];
    const command = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
    const hasMark = variables.some((variable) => variable.startsWith('INTERLOCK_SLOT='));
    return [{ pid, isSlot: hasMark && Number(session) === pid, command }];
  });
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
