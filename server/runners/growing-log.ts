import { type FSWatcher, unwatchFile, watch, watchFile } from 'node:fs';
import { type FileHandle, open as openFile } from 'node:fs/promises';
import {
  HEAD_BYTES,
  marker,
  MARKER_BYTES,
  readTail,
  TAIL_BYTES,
  TAIL_START,
  tailFile,
} from './log-parts.ts';

const PIECE_BYTES = 64 * 1024;
/** What is further behind than this may not be there any more. */
const BEHIND_BYTES = HEAD_BYTES + TAIL_BYTES + MARKER_BYTES;
/** How much of the end is read by whoever is too far behind. */
const CATCH_UP_BYTES = 1024 * 1024;

/** How often a log is looked at that cannot be watched. */
const LOOK_MS = 200;

type WatchFile = (file: string, onChange: () => void) => FSWatcher;

/**
 * The output of a command, read while it is written. Whoever reads more slowly than the command prints
 * misses something, and is told how much.
 */
export class GrowingLog implements AsyncDisposable {
  readonly #file: string;
  readonly #onGrown: (() => void) | undefined;
  /** Kept open: when the command has ended its parts may be put into another file of that name. */
  #handle: FileHandle | undefined;
  readonly #watchFile: WatchFile;
  #watcher: FSWatcher | undefined;
  #looking: (() => void) | undefined;
  #offset = 0;
  #isBegun = false;

  constructor(file: string, onGrown?: () => void, watchFileOf: WatchFile = watch) {
    this.#file = file;
    this.#onGrown = onGrown;
    this.#watchFile = watchFileOf;
  }

  /** At first all that is kept, then what has come since it was last read; nothing while there is no log. */
  async *read(): AsyncGenerator<Buffer, void> {
    const handle = await this.#open();
    if (handle === undefined) return;
    if (!this.#isBegun) yield* this.#begin(handle);
    for (;;) {
      const { size } = await handle.stat();
      // A long log is cut back to its first part now and then.
      this.#offset = Math.min(this.#offset, size);
      if (size - this.#offset > BEHIND_BYTES) {
        yield Buffer.from(marker(size - CATCH_UP_BYTES - this.#offset));
        this.#offset = size - CATCH_UP_BYTES;
      }
      const piece = await readPiece(handle, this.#offset, PIECE_BYTES);
      if (piece.length === 0) return;
      this.#offset += piece.length;
      yield piece;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watcher?.close();
    if (this.#looking !== undefined) unwatchFile(this.#file, this.#looking);
    await this.#handle?.close();
    this.#handle = undefined;
  }

  /** Of a log that is too long to be read in one go, all but its newest part. */
  async *#begin(handle: FileHandle): AsyncGenerator<Buffer, void> {
    this.#isBegun = true;
    const { leftOutBytes, bytes } = await readTail(this.#file);
    const { size } = await handle.stat();
    if (bytes === 0 && size <= BEHIND_BYTES) return;
    yield* readRange(handle, 0, HEAD_BYTES);
    this.#offset = HEAD_BYTES;
    const leftOut = bytes === 0 ? size - HEAD_BYTES - TAIL_BYTES : leftOutBytes;
    if (leftOut > 0) yield Buffer.from(marker(leftOut));
    if (bytes === 0) this.#offset = size - TAIL_BYTES;
    else yield* readTailFile(tailFile(this.#file));
  }

  /** A command that has been claimed only has no log yet. */
  async #open(): Promise<FileHandle | undefined> {
    if (this.#handle !== undefined) return this.#handle;
    try {
      this.#handle = await openFile(this.#file, 'r');
      if (this.#onGrown !== undefined) this.#watch(this.#onGrown);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    return this.#handle;
  }

  /** Where the system has no watch left to give, it is looked at now and then. */
  #watch(onGrown: () => void): void {
    try {
      this.#watcher = this.#watchFile(this.#file, onGrown);
      this.#watcher.on('error', () => this.#lookNowAndThen(onGrown));
    } catch {
      this.#lookNowAndThen(onGrown);
    }
  }

  #lookNowAndThen(onGrown: () => void): void {
    this.#watcher?.close();
    watchFile(this.#file, { interval: LOOK_MS, persistent: false }, onGrown);
    this.#looking = onGrown;
  }
}

/** What is kept of the output of a command, in order, also while it runs; nothing when it has no log. */
export async function* readLog(file: string): AsyncGenerator<Buffer, void> {
  await using log = new GrowingLog(file);
  yield* log.read();
}

async function* readTailFile(file: string): AsyncGenerator<Buffer, void> {
  try {
    await using handle = await openFile(file, 'r');
    yield* readRange(handle, TAIL_START, Infinity);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

async function* readRange(
  handle: FileHandle,
  from: number,
  to: number,
): AsyncGenerator<Buffer, void> {
  for (let at = from; at < to;) {
    const piece = await readPiece(handle, at, Math.min(PIECE_BYTES, to - at));
    if (piece.length === 0) return;
    at += piece.length;
    yield piece;
  }
}

async function readPiece(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
