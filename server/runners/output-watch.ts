import { BoundedLog } from './bounded-log.ts';
import { readTail } from './log-parts.ts';
import { LookLoop } from './look-loop.ts';

const SHORTEST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 250;
/** A log that grows by more than this is looked at again soon. */
const GROWTH_BYTES = 256 * 1024;

/**
 * Looks at the logs of running commands, often as long as there is reason to: their size says whether
 * they do anything, and they are kept from filling the disk.
 */
export class OutputWatch {
  readonly #logs = new Map<number, BoundedLog>();
  readonly #loop = new LookLoop(async () => await this.#look());
  #pauseMs = SHORTEST_PAUSE_MS;

  add(term: number, file: string): void {
    this.#logs.set(term, new BoundedLog(file));
    // A new command may print a lot at once.
    if (this.#pauseMs > 2 * SHORTEST_PAUSE_MS) this.#loop.hurry();
    this.#pauseMs = SHORTEST_PAUSE_MS;
    this.#loop.begin(SHORTEST_PAUSE_MS);
  }

  /** Of a command that somebody else has watched before. */
  async addStarted(term: number, file: string): Promise<void> {
    const { leftOutBytes, bytes } = await readTail(file);
    this.add(term, file);
    if (bytes > 0)
      this.#logs.set(term, new BoundedLog(file, { removedBytes: leftOutBytes + bytes }));
  }

  bytesOf(term: number): number | undefined {
    return this.#logs.get(term)?.totalBytes;
  }

  /** The command has ended. Answers nothing when there is nothing to wait for. */
  finish(term: number): Promise<void> | undefined {
    const log = this.#logs.get(term);
    this.#logs.delete(term);
    return log?.finish();
  }

  close(): void {
    for (const log of this.#logs.values()) log.release();
    this.#logs.clear();
    this.#loop.close();
  }

  async #look(): Promise<number | undefined> {
    const growths = await Promise.all([...this.#logs.values()].map(async (log) => log.look()));
    const isGrowing = growths.some((bytes) => bytes > GROWTH_BYTES);
    this.#pauseMs = isGrowing ? SHORTEST_PAUSE_MS : Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    return this.#logs.size > 0 ? this.#pauseMs : undefined;
  }
}
