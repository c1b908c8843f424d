import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { firstBoardFile } from '../domain/board-file-name.ts';
import { StoreError } from '../engine/store-error.ts';
import { isSpecial } from './plain-file.ts';
import { rowSum } from './row-sum.ts';

/** Whatever has been given out lies below or at these, in whichever database. */
export interface Reserve {
  readonly tenure: number;
  readonly term: number;
}

/** The file is written once in so many terms. */
const STEP = 1000;

/**
 * A small file beside the database that knows up to where terms and tenures may have been used. A
 * database that takes the place of a damaged one, or that was put back from a copy, goes on from there:
 * a term is never given out twice.
 */
export class TermReserve {
  readonly #file: string;
  #upTo = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** `damaged`: there was one, and nobody knows what it said. */
  read(): Reserve | 'none' | 'damaged' {
    try {
      if (isSpecial(this.#file)) return 'damaged';
      const match = /^tenure (\d{1,15})\nterm (\d{1,15})\nsum (\d{1,15})\n$/.exec(
        readFileSync(this.#file, 'utf8'),
      );
      const [tenure, term, sum] = (match?.slice(1) ?? []).map(Number);
      if (tenure === undefined || term === undefined || sum !== rowSum(tenure, term))
        return 'damaged';
      return { tenure, term };
    } catch (error) {
      return error instanceof Error && 'code' in error && error.code === 'ENOENT'
        ? 'none'
        : 'damaged';
    }
  }

  /** To be called before a term is given out. */
  cover({ tenure, term }: Reserve): void {
    if (term > this.#upTo) this.write({ tenure, term: term + STEP });
  }

  /** It has reached the disk when this returns. */
  write({ tenure, term }: Reserve): void {
    // A process that was suspended here and continues has an older tenure, and must not take terms back.
    const found = this.read();
    if (typeof found === 'object' && found.tenure > tenure)
      throw new StoreError('deposed', 'Another Interlock process decides for this board now.');
    const temporary = `${this.#file}.new-${process.pid}`;
    try {
      const text = `tenure ${tenure}\nterm ${term}\nsum ${rowSum(tenure, term)}\n`;
      if (isSpecial(temporary)) rmSync(temporary);
      writeFileSync(temporary, text, { mode: 0o600, flush: true });
      renameSync(temporary, this.#file);
      syncFolder(path.dirname(this.#file));
    } catch (cause) {
      const message = `Interlock could not write ${this.#file}. Make it and its folder writable, or free some disk space.`;
      throw new StoreError('world', message, { cause });
    }
    this.#upTo = term;
  }
}

/** Copies of a board share the terms. */
export function termsFileOf(boardFile: string): string {
  return `${path.join(path.dirname(boardFile), firstBoardFile(path.basename(boardFile)))}-terms`;
}

/** A name is on the disk when its folder is. Windows has no such call. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
