import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { GitStore } from './git-store.ts';

/** Which files of a working tree we have put there, and what they were. */
export class PutFiles {
  readonly #file: string;
  readonly #blobs: Map<string, string>;

  constructor(store: GitStore, top: string) {
    const name = createHash('sha256').update(top).digest('hex').slice(0, 16);
    this.#file = store.fileOf(`put-${name}`);
    this.#blobs = new Map(
      readFile(this.#file).map((line) => [
        line.slice(line.indexOf(' ') + 1),
        line.slice(0, line.indexOf(' ')),
      ]),
    );
  }

  get names(): Iterable<string> {
    return this.#blobs.keys();
  }

  blobOf(name: string): string | undefined {
    return this.#blobs.get(name);
  }

  add(name: string, blob: string): void {
    this.#blobs.set(name, blob);
  }

  save(): void {
    const text = [...this.#blobs].map(([name, blob]) => `${blob} ${name}\0`).join('');
    writeFileSync(`${this.#file}.new`, text, { encoding: 'latin1', mode: 0o600 });
    renameSync(`${this.#file}.new`, this.#file);
  }
}

function readFile(file: string): readonly string[] {
  try {
    return readFileSync(file, 'latin1')
      .split('\0')
      .filter((line) => line !== '');
  } catch {
    return [];
  }
}
