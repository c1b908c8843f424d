import { spawn } from 'node:child_process';
import { mkdirSync, watch, writeFileSync } from 'node:fs';
import { readdir, readFile, unlink as remove } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessIdentity } from '../domain/task.ts';

/** What is on record of one term. */
export type Fence =
  | { readonly kind: 'absent' }
  /** Somebody has just made it, or died while doing so. */
  | { readonly kind: 'unwritten' }
  /** Made to keep the command from starting. */
  | { readonly kind: 'closed'; readonly bootId: string }
  | ({
      readonly kind: 'begun';
      /** There is a process that a signal ends. */
      readonly isReachable: boolean;
      /** How it ended, as the slot has put it. */
      readonly result: string | undefined;
    } & Beginning);

/** What a slot writes when it begins a command. */
export interface Beginning {
  readonly process: ProcessIdentity;
  readonly slot: string;
  readonly logFile: string;
}

/**
 * One file for each term. Whoever makes it decides whether the command of that term starts: a slot
 * that is about to start it, or we, so that it never does. The system lets only one of them make it.
 */
export class Fences {
  readonly #folder: string;
  readonly #forgotten: string[] = [];

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  fileOf(term: number): string {
    return path.join(this.#folder, String(term));
  }

  /** Keeps the command of a term from ever starting; answers with what was there before. */
  async close(term: number, bootId: string): Promise<Fence> {
    try {
      writeFileSync(this.fileOf(term), `${JSON.stringify({ bootId })}\n`, {
        flag: 'wx',
        mode: 0o600,
      });
      return { kind: 'absent' };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    return await this.#readWritten(term);
  }

  async read(term: number): Promise<Fence> {
    try {
      return parseFence(await readFile(this.fileOf(term), 'utf8'));
    } catch {
      return { kind: 'absent' };
    }
  }

  /** Every term that something is on record of. */
  async terms(): Promise<readonly number[]> {
    const names = await readdir(this.#folder);
    return names.filter((name) => /^\d+$/.test(name)).map(Number);
  }

  /**
   * Many files are removed at once, by another process: one at a time takes as long as what the slots
   * do, and where files have just been removed a file system is slow to make new ones. What a crash
   * leaves is removed by whoever adopts.
   */
  forget(term: number): void {
    this.#forgotten.push(this.fileOf(term));
    if (this.#forgotten.length >= FORGOTTEN_LIMIT) this.release();
  }

  /** Removes what is forgotten. */
  release(): void {
    const files = this.#forgotten.splice(0);
    if (files.length === 0) return;
    spawn('rm', ['-f', '--', ...files], { stdio: 'ignore', detached: true })
      .on('error', () => {})
      .unref();
  }

  async remove(term: number): Promise<void> {
    await remove(this.fileOf(term)).catch(() => {});
  }

  /** Calls back when something was written about a term; may miss some. */
  watch(onWritten: (term: number) => void): Disposable {
    try {
      const watcher = watch(this.#folder, { persistent: false }, (_, name) => {
        if (name !== null) onWritten(Number(name));
      });
      watcher.on('error', () => {});
      return { [Symbol.dispose]: () => watcher.close() };
    } catch {
      // The system watches no more folders for this user.
      return { [Symbol.dispose]: () => {} };
    }
  }

  async #readWritten(term: number): Promise<Fence> {
    let fence = await this.read(term);
    for (let round = 0; round < UNWRITTEN_ROUNDS && fence.kind === 'unwritten'; round += 1) {
      await delay(LOOK_AGAIN_MS);
      fence = await this.read(term);
    }
    return fence;
  }
}

/** Their names are fewer than the system takes as arguments, whatever the folder. */
const FORGOTTEN_LIMIT = 1000;

const LOOK_AGAIN_MS = 20;
const UNWRITTEN_ROUNDS = 25;

export function fenceText({ process, slot, logFile }: Beginning): string {
  return JSON.stringify({ ...process, slot, logFile });
}

/** A line counts when it is complete, and what neither a slot nor we write counts for nothing. */
function parseFence(text: string): Fence {
  const [first = '', ...lines] = text.split('\n').slice(0, -1);
  const fields = parseFields(first);
  if (fields === undefined) return { kind: 'unwritten' };
  const { bootId, pid, startTime, slot, logFile } = fields;
  if (pid === undefined && slot === undefined && typeof bootId === 'string')
    return { kind: 'closed', bootId };
  const isWhole =
    typeof bootId === 'string' &&
    Number.isSafeInteger(pid) &&
    typeof pid === 'number' &&
    typeof startTime === 'string' &&
    typeof slot === 'string' &&
    typeof logFile === 'string';
  if (!isWhole) return { kind: 'unwritten' };
  const result = lines.map((line) => ENDED.exec(line)?.[1]).find((word) => word !== undefined);
  const process = { bootId, pid, startTime };
  return { kind: 'begun', process, slot, logFile, isReachable: lines.includes(BEGUN), result };
}

const BEGUN = 'begun';
/** A status as a shell counts it, or why nothing was run. */
const ENDED = /^ended (\d{1,3}|log|fenced)$/;

type Fields = Partial<Record<keyof ProcessIdentity | 'slot' | 'logFile', unknown>>;

function parseFields(line: string): Fields | undefined {
  try {
    const fields: Fields | null = JSON.parse(line);
    return fields ?? undefined;
  } catch {
    return undefined;
  }
}
