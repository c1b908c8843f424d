import { closeSync, openSync, writeSync } from 'node:fs';
import { StoreError } from '../engine/store-error.ts';
import { refuseSpecial } from './plain-file.ts';

/**
 * A file that is written to after each commit, so that others may watch it. The database's own files
 * will not do: they change while a commit is under way, when there is nothing new to be read yet.
 */
export class Bell {
  readonly file: string;
  readonly #descriptor: number;

  constructor(file: string) {
    this.file = file;
    refuseSpecial(file);
    try {
      this.#descriptor = openSync(file, 'w', 0o600);
    } catch (cause) {
      throw new StoreError(
        'world',
        `Interlock could not write ${file}. Make it a writable file, or delete it.`,
        { cause },
      );
    }
  }

  ring(): void {
    try {
      writeSync(this.#descriptor, '.', 0);
    } catch {
      // The commit has happened; others will see it at the next one.
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
