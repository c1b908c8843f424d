import { closeSync, openSync, writeSync } from 'node:fs';

/**
 * A file that is written to after each commit, so that others may watch it. The database's own files
 * will not do: they change while a commit is under way, when there is nothing new to be read yet.
 */
export class Bell {
  readonly file: string;
  readonly #descriptor: number;

  constructor(file: string) {
    this.file = file;
    this.#descriptor = openSync(file, 'w', 0o600);
  }

  ring(): void {
    writeSync(this.#descriptor, '.', 0);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
