import { createHash } from 'node:crypto';
import { promises, type Stats } from 'node:fs';
import path from 'node:path';
import { readWithinLater } from './bounded-read.ts';

interface Stamp {
  readonly size: number;
  readonly writtenMs: number;
  /** Of a file that is small enough. */
  readonly hash: string | undefined;
}

/** Past them a file is taken to have changed when it was written. */
const FILES = 20_000;
const HASHED_BYTES = 256 * 2 ** 10;
const ALL_HASHED_BYTES = 64 * 2 ** 20;

/** What files had in them, as far as it takes to tell whether they have the same now. */
export class FileStamps {
  readonly #tree: string;
  readonly #stamps = new Map<string, Stamp>();
  #hashed = 0;

  constructor(tree: string) {
    this.#tree = tree;
  }

  has(file: string): boolean {
    return this.#stamps.has(file);
  }

  forget(file: string): void {
    this.#stamps.delete(file);
  }

  /** As the file is now, unless it was written since then: what it had before, nobody knows any more. */
  async remember(file: string, sinceMs: number): Promise<void> {
    if (this.#stamps.size >= FILES || this.#stamps.has(file)) return;
    const stats = await this.#look(file);
    if (stats === undefined || changedMs(stats) >= sinceMs) return;
    const stamp = await this.#stampOf(file, stats);
    const after = await this.#look(file);
    if (after !== undefined && changedMs(after) === changedMs(stats)) this.#stamps.set(file, stamp);
  }

  /** Whether it has what it had; from now on it is known as it is. */
  async isSame(file: string, stats: Stats): Promise<boolean> {
    const before = this.#stamps.get(file);
    if (before === undefined) return false;
    if (before.size === stats.size && before.writtenMs === stats.mtimeMs) return true;
    const now = await this.#stampOf(file, stats);
    this.#stamps.set(file, now);
    return before.size === now.size && before.hash !== undefined && before.hash === now.hash;
  }

  async #look(file: string): Promise<Stats | undefined> {
    try {
      const stats = await promises.lstat(path.join(this.#tree, file));
      return stats.isFile() ? stats : undefined;
    } catch {
      return undefined;
    }
  }

  async #stampOf(file: string, { size, mtimeMs }: Stats): Promise<Stamp> {
    const isSmall = size <= HASHED_BYTES && this.#hashed + size <= ALL_HASHED_BYTES;
    if (!isSmall) return { size, writtenMs: mtimeMs, hash: undefined };
    this.#hashed += this.#stamps.has(file) ? 0 : size;
    const bytes = await readWithinLater(path.join(this.#tree, file), HASHED_BYTES);
    const hash = bytes && createHash('sha256').update(bytes).digest('base64');
    return { size, writtenMs: mtimeMs, hash };
  }
}

/** No program can set this back. */
function changedMs({ mtimeMs, ctimeMs }: Stats): number {
  return Math.max(mtimeMs, ctimeMs);
}
