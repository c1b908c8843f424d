import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { signalProcess } from './signals.ts';
import { codeOf, isAbsent } from './system-error.ts';

/** What a process carries in its environment, and whatever it starts does as well. */
export interface Mark {
  readonly run: string;
  readonly term: number;
  /** Also a copy of this slot, and the slot itself. */
  readonly slot?: string | undefined;
}

const LOOK_AGAIN_MS = 20;
const ROUND_LIMIT = 250;

interface Sweep {
  readonly names: readonly string[];
  readonly isClean: (answer: boolean) => void;
  rounds: number;
}

/**
 * Kills every process that carries the marks of a claim in its environment: children that left the
 * process group, which no signal to the group reaches. Only Linux shows other processes' environments.
 *
 * Who asks at the same time shares the looks at all processes.
 */
export class Sweeper {
  #sweeps: Sweep[] = [];

  /** Answers whether nothing is left; where processes cannot be looked at, nothing is found. */
  async sweep({ run, term, slot }: Mark): Promise<boolean> {
    if (process.platform !== 'linux') return true;
    const names = [claimMark(run, term), ...(slot === undefined ? [] : [slotMark(slot)])];
    return await new Promise((isClean) => {
      this.#sweeps.push({ names, isClean, rounds: 0 });
      if (this.#sweeps.length === 1) void this.#rounds();
    });
  }

  async #rounds(): Promise<void> {
    // Who asks in this very moment is served by the same look.
    await Promise.resolve();
    while (this.#sweeps.length > 0) {
      this.#sweeps = this.#round(this.#sweeps);
      // A process that forks while we look is found in the next round.
      if (this.#sweeps.length > 0) await delay(LOOK_AGAIN_MS);
    }
  }

  #round(sweeps: readonly Sweep[]): Sweep[] {
    const wanted = new Set(sweeps.flatMap(({ names }) => names));
    const found = foundNow(wanted);
    return sweeps.filter((sweep) => {
      sweep.rounds += 1;
      const isClean = !sweep.names.some((name) => found.has(name));
      if (!isClean && sweep.rounds < ROUND_LIMIT) return true;
      sweep.isClean(isClean);
      return false;
    });
  }
}

/**
 * Kills what earlier claims on a task have left on this machine: whoever held one was killed before it
 * could end its command. Somebody who is of such a claim starts nothing beside it that this would end.
 */
export function sweepEarlier(
  { run, task, term }: { readonly run: string; readonly task: string; readonly term: number },
  ownEnv: NodeJS.ProcessEnv,
): void {
  if (process.platform !== 'linux') return;
  if (ownEnv['INTERLOCK_RUN'] === run && ownEnv['INTERLOCK_TASK'] === task) return;
  const wanted = (claim: Claim): boolean =>
    claim.run === run && claim.task === task && Number(claim.term) < term;
  for (let round = 0; round < ROUND_LIMIT; round += 1) {
    const found = processIds().filter((pid) => wanted(claimOf(pid)));
    if (found.length === 0) return;
    for (const pid of found) signalProcess(pid, 'SIGKILL');
  }
}

interface Claim {
  readonly run: string | undefined;
  readonly task: string | undefined;
  readonly term: string | undefined;
  readonly slot: string | undefined;
}

/** Where nobody can look now, all of them may be there. */
function foundNow(wanted: ReadonlySet<string>): ReadonlySet<string> {
  try {
    return killMarked(wanted);
  } catch {
    return wanted;
  }
}

/** Answers with the marks that somebody carried. */
function killMarked(wanted: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const pid of processIds()) {
    const marks = marksOf(pid).filter((mark) => wanted.has(mark));
    for (const mark of marks) found.add(mark);
    if (marks.length > 0) signalProcess(pid, 'SIGKILL');
  }
  return found;
}

/** All but this one. */
function processIds(): readonly number[] {
  const ids = readdirSync('/proc').map(Number);
  return ids.filter((pid) => Number.isInteger(pid) && pid !== process.pid);
}

function marksOf(pid: number): readonly string[] {
  const { run, term, slot } = claimOf(pid);
  const claim = run === undefined || term === undefined ? [] : [claimMark(run, Number(term))];
  return slot === undefined ? claim : [...claim, slotMark(slot)];
}

function claimOf(pid: number): Claim {
  const environment = readEnvironment(pid);
  const variables = environment.includes('INTERLOCK_') ? environment.split('\0') : [];
  const valueOf = (name: string): string | undefined =>
    variables.find((variable) => variable.startsWith(`${name}=`))?.slice(name.length + 1);
  return {
    run: valueOf('INTERLOCK_RUN'),
    task: valueOf('INTERLOCK_TASK'),
    term: valueOf('INTERLOCK_TERM'),
    slot: valueOf('INTERLOCK_SLOT'),
  };
}

function readEnvironment(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch (error) {
    // Those of other users are not shown; whatever else fails says nothing about the process.
    if (isAbsent(error) || codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM') return '';
    throw error;
  }
}

function claimMark(run: string, term: number): string {
  return `claim ${run} ${term}`;
}

function slotMark(slot: string): string {
  return `slot ${slot}`;
}
