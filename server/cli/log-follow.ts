import { type FSWatcher, watch } from 'node:fs';
import { type FileHandle, open as openFile } from 'node:fs/promises';
import type { OpenBoard } from '../board/ports.ts';
import { isFinal, type TaskState } from '../domain/task.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { TriedTask } from './find-attempt.ts';
import { LogText } from './log-text.ts';
import type { Terminal } from './terminal.ts';

const PIECE_BYTES = 64 * 1024;

interface Parts {
  readonly open: OpenBoard;
  readonly terminal: Terminal;
  /** Tells from now on that something has happened on the board. */
  readonly listen: (changed: () => void) => void;
}

/** Prints what a task writes until the task has ended, attempt after attempt. */
export async function followLog(parts: Parts, tried: TriedTask): Promise<ExitCode> {
  const { terminal, listen, open } = parts;
  const poke = new Poke();
  let stopped: ExitCode | undefined;
  const stop = (code: ExitCode): void => {
    stopped = code;
    poke.now();
  };
  listen(() => poke.now());
  terminal.onInterrupt(() => stop(EXIT.interrupted));
  terminal.onUnread(() => stop(EXIT.done));
  let log: GrowingLog | undefined;
  try {
    for (;;) {
      // What it wrote before it ended is there by the time that is known.
      const state = stateOf(open, tried);
      const file = newestFile(open, tried, state);
      if (file !== undefined && file !== log?.file) {
        await log?.printRest();
        await log?.close();
        log = new GrowingLog(parts, file, () => poke.now());
        await log.begin();
      }
      await log?.printNew();
      if (stopped !== undefined) return stopped;
      if (state === undefined || isFinal(state)) return EXIT.done;
      await poke.next();
    }
  } finally {
    await log?.close();
  }
}

function stateOf({ keeper, store }: OpenBoard, { run, task }: TriedTask): TaskState | undefined {
  return keeper.board.find(run, task)?.state ?? store.statesOf(run).get(task);
}

function newestFile(
  open: OpenBoard,
  { run, task, revision, attempt }: TriedTask,
  state: TaskState | undefined,
): string | undefined {
  const tries = state?.tries ?? { revision, attempts: attempt };
  if (tries.attempts === 0) return undefined;
  return open.logFile({ run, task, revision: tries.revision, attempt: tries.attempts });
}

/** What one attempt writes, while it does. */
class GrowingLog {
  readonly file: string;
  readonly #parts: Parts;
  readonly #grown: () => void;
  readonly #text: LogText | undefined;
  /** Kept open: when the attempt has ended its parts may be put into another file of that name. */
  #handle: FileHandle | undefined;
  #watcher: FSWatcher | undefined;
  #offset = 0;

  constructor(parts: Parts, file: string, grown: () => void) {
    this.#parts = parts;
    this.file = file;
    this.#grown = grown;
    this.#text = parts.terminal.screen === undefined ? undefined : new LogText();
  }

  /** What there is by now, without what a long log does not keep. */
  async begin(): Promise<void> {
    if (!(await this.#open())) return;
    let bytes = 0;
    for await (const piece of this.#parts.open.readLog(this.file)) {
      this.#print(piece);
      bytes += piece.length;
    }
    // Of a log in several parts, the newest is in the file behind all of it.
    this.#offset = Math.min(bytes, (await this.#handle?.stat())?.size ?? 0);
  }

  async printNew(): Promise<void> {
    if (!(await this.#open()) || this.#handle === undefined) return;
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    // A long log is cut back to its first part now and then.
    this.#offset = Math.min(this.#offset, (await this.#handle.stat()).size);
    for (;;) {
      const { bytesRead } = await this.#handle.read(piece, 0, piece.length, this.#offset);
      if (bytesRead === 0) return;
      this.#offset += bytesRead;
      this.#print(piece.subarray(0, bytesRead));
    }
  }

  async printRest(): Promise<void> {
    await this.printNew();
    if (this.#text !== undefined) this.#parts.terminal.out(this.#text.end());
  }

  async close(): Promise<void> {
    this.#watcher?.close();
    await this.#handle?.close();
    this.#handle = undefined;
  }

  #print(bytes: Uint8Array): void {
    const { terminal } = this.#parts;
    // What is written is written later, when this piece has been filled again.
    terminal.out(this.#text === undefined ? Buffer.from(bytes) : this.#text.take(bytes));
  }

  /** A command that has been claimed only has no log yet. */
  async #open(): Promise<boolean> {
    if (this.#handle !== undefined) return true;
    try {
      this.#handle = await openFile(this.file, 'r');
      this.#watcher = watch(this.file, this.#grown);
      this.#watcher.on('error', () => this.#watcher?.close());
      return true;
    } catch {
      return false;
    }
  }
}

/** Waits for whatever comes next; what came while nobody waited is not lost. */
class Poke {
  #isDue = false;
  #wake: (() => void) | undefined;

  now(): void {
    this.#isDue = true;
    this.#wake?.();
  }

  async next(): Promise<void> {
    if (!this.#isDue)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    this.#wake = undefined;
    this.#isDue = false;
  }
}
