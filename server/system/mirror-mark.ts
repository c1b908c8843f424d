import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { MirrorMark } from '../board/ports.ts';

/** A number in a small file. Without it the files of boards are only looked at where somebody is at work. */
export class DiskMirrorMark implements MirrorMark {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  read(): number | undefined {
    try {
      const text = readFileSync(this.#file, 'utf8');
      return /^\d{1,15}\n$/.test(text) ? Number(text) : undefined;
    } catch {
      return undefined;
    }
  }

  write(sequence: number): void {
    try {
      writeFileSync(`${this.#file}.new`, `${sequence}\n`, { mode: 0o600 });
      renameSync(`${this.#file}.new`, this.#file);
    } catch {
      // Whoever comes next looks at more than it needs to.
    }
  }
}
