import type { Channel } from '../../server/remote/channel.ts';

/** What comes out of a channel. */
export class Heard {
  readonly #pieces: Buffer[] = [];
  readonly #ended = Promise.withResolvers<string>();
  readonly #waiting = new Set<() => void>();
  /** How often it was said that it has ended. */
  ends = 0;

  constructor(channel: Channel) {
    channel.listen({
      onBytes: (bytes) => {
        this.#pieces.push(bytes);
        this.#look();
      },
      onClosed: (why) => {
        this.ends += 1;
        this.#ended.resolve(why);
        this.#look();
      },
    });
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  get text(): string {
    return this.bytes.toString('utf8');
  }

  /** Why it has ended. */
  get why(): Promise<string> {
    return this.#ended.promise;
  }

  /** Resolves with what the expression has found; rejects when it ends without. */
  async says(expression: RegExp): Promise<RegExpExecArray> {
    return await this.#until(() => expression.exec(this.text));
  }

  async has(count: number): Promise<Buffer> {
    const all = (): Buffer | null => (this.#count() >= count ? this.bytes : null);
    return await this.#until(all);
  }

  #count(): number {
    return this.#pieces.reduce((sum, piece) => sum + piece.length, 0);
  }

  async #until<Found>(find: () => Found | null): Promise<Found> {
    return await new Promise((resolve, reject) => {
      const look = (): void => {
        const found = find();
        if (found === null && this.ends === 0) return;
        this.#waiting.delete(look);
        if (found === null) reject(new Error(`It ended after: ${this.text.slice(-2000)}`));
        else resolve(found);
      };
      this.#waiting.add(look);
      look();
    });
  }

  #look(): void {
    for (const look of this.#waiting) look();
  }
}
