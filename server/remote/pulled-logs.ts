import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { HEAD_BYTES, isJoined, readTail, sizeOf, TAIL_BYTES } from '../runners/log-parts.ts';
import { LookLoop } from '../runners/look-loop.ts';
import { OutputWatch } from '../runners/output-watch.ts';
import { isOfSystem } from '../runners/system-error.ts';
import { ShellLost } from './host-shell.ts';
import { stripMark } from './log-mark.ts';
import type { Machine } from './machine.ts';
import type { MachineLogs } from './machine-logs.ts';
import { Pace } from './pace.ts';

const PIECE_BYTES = 512 * 1024;
/** Who is this far behind goes on near the end: nobody keeps more of a log. */
const BEHIND_BYTES = 32 * 1024 * 1024;
/** So much is left there before what is not kept is given back to its disk. */
const SLACK_BYTES = 16 * 1024 * 1024;
/** No command has printed more; a host that claims so is not believed. */
const MOST_BYTES = 2 ** 40;
/** When a command has ended its log has too: so much of it is brought at most, in so many parts, with so many tries in vain. */
const LAST = { bytes: 2 * BEHIND_BYTES, rounds: 4096, idleRounds: 20 };
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1000;

interface Log {
  readonly file: string;
  /** How much of it has come. */
  at: number;
  /** How much of that this process has brought. */
  cameBytes: number;
  /** Up to where nothing but its beginning lies there any more. */
  cutTo: number;
  /** All of it is here, and its parts were joined: nothing more comes. */
  readonly isJoined: boolean;
}

/**
 * Brings what commands print on another machine here, from where it was left. How far it came is known
 * by the size of what is here, so whoever comes next goes on from there.
 */
export class PulledLogs implements MachineLogs {
  readonly #logs = new Map<number, Log>();
  readonly #output = new OutputWatch();
  readonly #loop = new LookLoop(async () => await this.#look());
  /** Others wait for their answers meanwhile. */
  readonly #pace = new Pace();
  #machine: Machine | undefined;
  #pauseMs = SHORTEST_PAUSE_MS;

  async begin(term: number, file: string, machine: Machine): Promise<void> {
    this.#machine = machine;
    if (!this.#logs.has(term)) {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      const { leftOutBytes, bytes } = await readTail(file);
      const at = leftOutBytes + bytes + sizeOf(file);
      this.#logs.set(term, { file, at, cameBytes: 0, cutTo: HEAD_BYTES, isJoined: isJoined(file) });
      await this.#output.addStarted(term, file);
    }
    this.#pauseMs = SHORTEST_PAUSE_MS;
    this.#loop.begin(SHORTEST_PAUSE_MS);
  }

  bytesOf(term: number): number | undefined {
    return this.#logs.get(term)?.at;
  }

  async finish(term: number, file: string): Promise<void> {
    const log = this.#logs.get(term);
    if (log === undefined) return;
    // Whoever had brought it and joined its parts did not get to say so.
    if (!isJoined(file)) {
      const most = log.cameBytes + LAST.bytes;
      let idle = 0;
      for (let rounds = 0; rounds < LAST.rounds && log.cameBytes < most; rounds += 1) {
        const { at } = log;
        if (idle > LAST.idleRounds || !(await this.#pull([term]))) break;
        // Somebody else may have brought a part meanwhile; a host that has nothing says so in the end.
        idle = log.at === at ? idle + 1 : 0;
      }
      stripMark(file, term);
    }
    this.#logs.delete(term);
    await this.#output.finish(term);
  }

  drop(term: number): void {
    if (this.#logs.delete(term)) void this.#output.finish(term);
  }

  close(): void {
    this.#logs.clear();
    this.#loop.close();
    this.#output.close();
  }

  async #look(): Promise<number | undefined> {
    try {
      const hasGrown = await this.#pull([...this.#logs.keys()]);
      this.#pauseMs = hasGrown ? SHORTEST_PAUSE_MS : Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    } catch (error) {
      // When the machine is there again it goes on from here.
      if (error instanceof ShellLost) return undefined;
      if (!isOfSystem(error)) throw error;
      this.#pauseMs = LONGEST_PAUSE_MS;
    }
    return this.#logs.size > 0 ? this.#pauseMs : undefined;
  }

  /** Answers whether there was more than before. */
  async #pull(terms: readonly number[]): Promise<boolean> {
    if (terms.length === 0) return false;
    const machine = this.#machine;
    if (machine === undefined) throw new ShellLost('it is not there');
    const { lines } = await machine.shell.ask('il_sizes', ...terms);
    const sizes = lines.flatMap(readSize);
    const liar = sizes.find(({ size }) => size > MOST_BYTES);
    if (liar !== undefined)
      throw machine.shell.refuse(`it claims that one command has printed ${liar.size} bytes`);
    const wishes = this.#wishes(sizes);
    if (wishes.length === 0) return false;
    const words = wishes.flatMap(({ term, at, bytes }) => [term, at, bytes]);
    const asked = wishes.map(({ bytes }) => bytes);
    const { pieces } = await this.#pace.time(
      asked.reduce((sum, bytes) => sum + bytes, 0),
      async () => await machine.shell.askForPieces(asked, 'il_read', ...words),
    );
    for (const [index, { log, at }] of wishes.entries()) {
      const piece = pieces[index];
      // Somebody else may have brought it meanwhile.
      if (piece === undefined || piece.length === 0 || log.at !== at) continue;
      append(log.file, piece);
      log.at += piece.length;
      log.cameBytes += piece.length;
    }
    await this.#cut(wishes, machine);
    return true;
  }

  /** What to ask for: of each that has grown something, and of all of them not too much. */
  #wishes(sizes: readonly Size[]): readonly Wish[] {
    const wishes: Wish[] = [];
    const fair = Math.ceil(this.#pace.bytes / Math.max(1, sizes.length));
    const seen = new Set<number>();
    for (const { term, size } of sizes) {
      const log = this.#logs.get(term);
      if (log === undefined || log.isJoined || size <= log.at || seen.has(term)) continue;
      seen.add(term);
      if (size - log.at > BEHIND_BYTES) skip(log, size - TAIL_BYTES - log.at);
      const bytes = Math.min(size - log.at, PIECE_BYTES, fair);
      wishes.push({ term, log, at: log.at, bytes });
    }
    return wishes;
  }

  /** What is here, and is not kept, need not lie there either. */
  async #cut(wishes: readonly Wish[], { shell }: Machine): Promise<void> {
    for (const { term, log } of wishes) {
      const to = log.at - TAIL_BYTES;
      if (to - log.cutTo < SLACK_BYTES) continue;
      await shell.ask('il_cut', term, log.cutTo, to - log.cutTo);
      log.cutTo = to;
    }
  }
}

interface Wish {
  readonly term: number;
  readonly log: Log;
  readonly at: number;
  readonly bytes: number;
}

interface Size {
  readonly term: number;
  readonly size: number;
}

function append(file: string, piece: Buffer): void {
  const opened = openSync(file, 'a', 0o600);
  const { size } = fstatSync(opened);
  try {
    for (let done = 0; done < piece.length;) done += writeSync(opened, piece, done);
  } catch (error) {
    // All of it comes again, when the disk has room for it.
    ftruncateSync(opened, size);
    throw error;
  } finally {
    closeSync(opened);
  }
}

/** What is left out is a hole in the file, as where a log is cut while its command writes it. */
function skip(log: Log, bytes: number): void {
  const opened = openSync(log.file, 'a', 0o600);
  try {
    ftruncateSync(opened, sizeOf(log.file) + bytes);
  } finally {
    closeSync(opened);
  }
  log.at += bytes;
}

/** `BYTES t/TERM.log`. */
function readSize(line: string): readonly Size[] {
  const [, bytes, term] = SIZE.exec(line) ?? [];
  return bytes === undefined ? [] : [{ term: Number(term), size: Number(bytes) }];
}

const SIZE = /^ *(\d{1,15}) t\/(\d{1,15})\.log$/;
