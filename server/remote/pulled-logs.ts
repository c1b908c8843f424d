import { closeSync, ftruncateSync, mkdirSync, openSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { LookLoop } from '../runners/look-loop.ts';
import { readTail } from '../runners/log-parts.ts';
import { OutputWatch } from '../runners/output-watch.ts';
import { ShellLost } from './host-shell.ts';
import type { Machine } from './machine.ts';
import type { MachineLogs } from './machine-logs.ts';

const PIECE_BYTES = 512 * 1024;
/** Who is this far behind goes on near the end: nobody keeps more of a log. */
const BEHIND_BYTES = 32 * 1024 * 1024;
const NEAR_END_BYTES = 9 * 1024 * 1024;
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1000;

interface Log {
  readonly file: string;
  /** What had been cut out of it before we looked after it. */
  readonly removedBytes: number;
}

/**
 * Brings what commands print on another machine here, from where it was left. What is here lies where
 * it lay there, so whoever comes next knows how far it came by the size of the file.
 */
export class PulledLogs implements MachineLogs {
  readonly #logs = new Map<number, Log>();
  readonly #output = new OutputWatch();
  readonly #loop = new LookLoop(async () => await this.#look());
  #machine: Machine | undefined;
  #pauseMs = SHORTEST_PAUSE_MS;

  /** From now on, or again after the machine was away. */
  async begin(term: number, file: string, machine: Machine): Promise<void> {
    this.#machine = machine;
    if (!this.#logs.has(term)) {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      const { leftOutBytes, bytes } = await readTail(file);
      this.#logs.set(term, { file, removedBytes: leftOutBytes + bytes });
      await this.#output.addStarted(term, file);
    }
    this.#pauseMs = SHORTEST_PAUSE_MS;
    this.#loop.begin(SHORTEST_PAUSE_MS);
  }

  bytesOf(term: number): number | undefined {
    return this.#output.bytesOf(term);
  }

  /** Resolves when all of it is here. */
  async finish(term: number): Promise<void> {
    const log = this.#logs.get(term);
    if (log === undefined) return;
    while (await this.#pull(term, log)) continue;
    this.#logs.delete(term);
    await this.#output.finish(term);
  }

  close(): void {
    this.#logs.clear();
    this.#loop.close();
    this.#output.close();
  }

  async #look(): Promise<number | undefined> {
    const machine = this.#machine;
    if (machine === undefined || this.#logs.size === 0) return undefined;
    let hasGrown = false;
    try {
      const { lines } = await machine.shell.ask('il_sizes', ...this.#logs.keys());
      for (const [term, size] of lines.flatMap(readSize)) {
        const log = this.#logs.get(term);
        if (log === undefined || size <= sizeOf(log)) continue;
        if (size - sizeOf(log) > BEHIND_BYTES) skipTo(log, size - NEAR_END_BYTES);
        hasGrown = true;
        await this.#pull(term, log);
      }
    } catch (error) {
      // When the machine is there again it goes on from here.
      if (!(error instanceof ShellLost)) throw error;
      return undefined;
    }
    this.#pauseMs = hasGrown ? SHORTEST_PAUSE_MS : Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    return this.#logs.size > 0 ? this.#pauseMs : undefined;
  }

  /** Answers whether there may be more. */
  async #pull(term: number, log: Log): Promise<boolean> {
    const machine = this.#machine;
    if (machine === undefined) throw new ShellLost('it is not there');
    const at = sizeOf(log);
    const { pieces } = await machine.shell.ask('il_read', term, at, PIECE_BYTES);
    const [piece] = pieces;
    // Another look may have brought it meanwhile.
    if (piece === undefined || piece.length === 0 || sizeOf(log) !== at) return false;
    append(log, piece);
    return piece.length === PIECE_BYTES;
  }
}

/** How much of it has come, and been cut out here since. */
function sizeOf({ file, removedBytes }: Log): number {
  return removedBytes + (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
}

function append({ file }: Log, piece: Buffer): void {
  const opened = openSync(file, 'a', 0o600);
  try {
    for (let done = 0; done < piece.length;) done += writeSync(opened, piece, done);
  } finally {
    closeSync(opened);
  }
}

/** What is left out is a hole in the file, as where a log is cut while its command writes it. */
function skipTo({ file, removedBytes }: Log, at: number): void {
  const opened = openSync(file, 'a', 0o600);
  try {
    ftruncateSync(opened, at - removedBytes);
  } finally {
    closeSync(opened);
  }
}

/** `BYTES t/TERM/log`. */
function readSize(line: string): readonly (readonly [term: number, bytes: number])[] {
  const [, bytes, term] = SIZE.exec(line) ?? [];
  return bytes === undefined ? [] : [[Number(term), Number(bytes)]];
}

const SIZE = /^ *(\d{1,15}) t\/(\d{1,15})\/log$/;
