import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';

/** A program that ends when this process does: it reads from us until nobody is there. */
export class LabProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #closed: Promise<unknown>;
  #said = '';

  constructor(file: string, args: readonly string[]) {
    this.#child = spawn(file, args, { cwd: '/', stdio: ['pipe', 'pipe', 'pipe'] });
    this.#closed = once(this.#child, 'close');
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (this.#said += text));
  }

  get pid(): number {
    const { pid } = this.#child;
    if (pid === undefined) throw new Error(`It did not start: ${this.#child.spawnfile}`);
    return pid;
  }

  /** Resolves when it has printed a text; throws, with all it has said, when it ends before. */
  async said(text: string): Promise<void> {
    const { stdout, stderr } = this.#child;
    while (!this.#said.includes(text)) {
      const more = Promise.race([once(stdout, 'data'), once(stderr, 'data')]);
      const isOver = await Promise.race([more.then(() => false), this.#closed.then(() => true)]);
      if (isOver && !this.#said.includes(text))
        throw new Error(`${this.#child.spawnargs.join(' ')}\n${this.#said}`);
    }
  }

  /** The one that it waits for. */
  firstChild(): number | undefined {
    const text = readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, 'utf8');
    return text === '' ? undefined : Number.parseInt(text, 10);
  }

  /** Resolves when nothing of it is left. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#closed;
  }
}
