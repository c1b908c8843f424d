import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { OutputWatch } from '../runners/output-watch.ts';
import { stripMark } from './log-mark.ts';
import type { MachineLogs } from './machine-logs.ts';

/** Logs that commands of this machine write where they are kept. */
export class LocalLogs implements MachineLogs {
  readonly #output = new OutputWatch();

  async begin(term: number, file: string): Promise<void> {
    if (this.#output.bytesOf(term) !== undefined) return;
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    await this.#output.addStarted(term, file);
  }

  async finish(term: number, file: string): Promise<void> {
    stripMark(file, term);
    await this.#output.finish(term);
  }

  drop(term: number): void {
    void this.#output.finish(term);
  }

  bytesOf(term: number): number | undefined {
    return this.#output.bytesOf(term);
  }

  close(): void {
    this.#output.close();
  }
}
