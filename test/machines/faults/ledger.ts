import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { CommandEnd } from '../../../server/engine/ports.ts';

/** Something that happened to an attempt, in the order in which the coordinator learned it. */
export interface Entry {
  readonly term: number;
  readonly task: string;
  readonly what: 'ordered' | 'started' | 'out-of-sight' | 'given-back' | 'ended';
  /** Of one that has ended. */
  readonly end?: CommandEnd;
}

/** What a coordinator knows when it comes again: a line for each entry, written before anybody acts on it. */
export class Ledger {
  readonly #file: string;

  constructor(folder: string) {
    this.#file = path.join(folder, 'ledger');
  }

  write(entry: Entry): void {
    appendFileSync(this.#file, `${JSON.stringify(entry)}\n`);
  }

  /** A line that was being written when its writer died does not count. */
  read(): readonly Entry[] {
    if (!existsSync(this.#file)) return [];
    const lines = readFileSync(this.#file, 'utf8').split('\n').slice(0, -1);
    return lines.map((line): Entry => JSON.parse(line));
  }
}

export function logOf(folder: string, term: number): string {
  return path.join(folder, 'logs', `${term}.log`);
}

/** No more attempts are made at it. */
export function isFinal({ what, end }: Entry): boolean {
  return what === 'ended' && end?.kind !== 'lost';
}
