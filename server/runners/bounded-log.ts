import { open, rename, rm, stat } from 'node:fs/promises';
import {
  copyBytes,
  HEAD_BYTES,
  marker,
  MARKER_BYTES,
  moveTail,
  readTail,
  sizeOf,
  TAIL_BYTES,
  TAIL_START,
  tailFile,
} from './log-parts.ts';
import { punchHole } from './punch-hole.ts';

const LIMIT_BYTES = HEAD_BYTES + TAIL_BYTES;
/** How much more than it may keep a log may have while somebody writes to it. */
const SLACK_BYTES = 4 * 1024 * 1024;

/**
 * The output of one command, which writes it to the file itself: of more than fits, the first and the
 * last part stay. While it writes, what is between them is given back to the disk now and then.
 *
 * Where that is impossible, the last part is moved to a file of its own, and the log is cut back to its
 * first part; the command goes on behind that, because it appends. What it writes in the moment of the
 * cut is lost.
 *
 * Where the disk is full or the log is gone, the log is as it is: that is no failure of the command.
 */
export class BoundedLog {
  readonly #file: string;
  readonly #punch: typeof punchHole;
  /** What is no longer in the log itself, in its tail file or nowhere. */
  #removedBytes: number;
  #sizeBytes = 0;
  #punchedTo = HEAD_BYTES;
  #trimming: Promise<void> | undefined;
  #isFinished = false;
  #isReleased = false;

  constructor(file: string, { removedBytes = 0, punch = punchHole } = {}) {
    this.#file = file;
    this.#removedBytes = removedBytes;
    this.#punch = punch;
  }

  /** All that was ever printed, when somebody last looked. */
  get totalBytes(): number {
    return this.#removedBytes + this.#sizeBytes;
  }

  /** Answers how much came since the last look. */
  async look(): Promise<number> {
    const before = this.totalBytes;
    const size = await stat(this.#file).then(
      (found) => found.size,
      () => undefined,
    );
    if (size !== undefined) this.#sizeBytes = size;
    if (this.#isFinished || this.#sizeBytes <= this.#punchedTo + TAIL_BYTES + SLACK_BYTES)
      return this.totalBytes - before;
    this.#trimming = this.#trim();
    await this.#trimming;
    this.#trimming = undefined;
    return this.totalBytes - before;
  }

  /** Nobody writes to it any more. Answers nothing when it is as it should be already. */
  finish(): Promise<void> | undefined {
    this.#isFinished = true;
    const size = sizeOf(this.#file);
    const isWhole =
      this.#trimming === undefined &&
      this.#removedBytes === 0 &&
      size <= LIMIT_BYTES + MARKER_BYTES;
    return isWhole ? undefined : this.#join();
  }

  /** Somebody else looks after it now. */
  release(): void {
    this.#isFinished = true;
    this.#isReleased = true;
  }

  async #trim(): Promise<void> {
    const range = { from: HEAD_BYTES, to: this.#sizeBytes - TAIL_BYTES };
    if (this.#removedBytes === 0 && (await this.#punch(this.#file, range))) {
      this.#punchedTo = range.to;
      return;
    }
    try {
      const movedBytes = await moveTail(this.#file, () => !this.#isReleased);
      this.#removedBytes += movedBytes;
      if (movedBytes > 0) this.#sizeBytes = HEAD_BYTES;
    } catch {
      // The next look tries again.
    }
  }

  async #join(): Promise<void> {
    await this.#trimming;
    const joined = `${this.#file}.joined`;
    try {
      await this.#writeJoined(joined);
      await rename(joined, this.#file);
      await rm(tailFile(this.#file), { force: true });
    } catch {
      // The parts are shown as one all the same.
      await rm(joined, { force: true }).catch(() => {});
    }
  }

  async #writeJoined(joined: string): Promise<void> {
    await using source = await open(this.#file, 'r');
    await using target = await open(joined, 'w', 0o600);
    const { size } = await source.stat();
    const recent = Math.max(0, Math.min(size - HEAD_BYTES, TAIL_BYTES));
    const { leftOutBytes, bytes } = await readTail(this.#file);
    const kept = Math.min(bytes, TAIL_BYTES - recent);
    const leftOut = leftOutBytes + bytes - kept + Math.max(0, size - HEAD_BYTES) - recent;
    await copyBytes(source, target, { from: 0, to: HEAD_BYTES });
    if (leftOut > 0) await target.write(marker(leftOut));
    if (kept > 0) {
      await using tail = await open(tailFile(this.#file), 'r');
      await copyBytes(tail, target, { from: TAIL_START + bytes - kept, to: TAIL_START + bytes });
    }
    await copyBytes(source, target, { from: size - recent, to: size });
  }
}
