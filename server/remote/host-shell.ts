import { quote } from '../domain/shell-words.ts';
import { sayWord } from './after-word.ts';
import { type Answer, AnswerReader } from './answers.ts';
import type { Channel } from './channel.ts';
import { HOST_SCRIPT } from './host-script.ts';

/** The way to the machine is gone: what was asked for may have been done, or not. */
export class ShellLost extends Error {}

interface ShellOptions {
  /** A word that nobody else says by chance. */
  readonly hello: string;
  readonly onLost: (why: string) => void;
  /** The functions that it is asked for; absent: those of a board. */
  readonly script?: string;
}

/** A shell on a machine that does what `host-script.ts` says, one request after the other. */
export class HostShell {
  readonly #channel: Channel;
  readonly #reader: AnswerReader;
  readonly #waiting = new Map<number, PromiseWithResolvers<Answer>>();
  readonly #greeted = Promise.withResolvers<void>();
  readonly #onLost: (why: string) => void;
  #lost: string | undefined;
  #lastId = 0;

  private constructor(channel: Channel, { hello, onLost, script = HOST_SCRIPT }: ShellOptions) {
    this.#channel = channel;
    this.#onLost = onLost;
    this.#reader = new AnswerReader(hello, (answer) => {
      this.#waiting.get(answer.id)?.resolve(answer);
      this.#waiting.delete(answer.id);
    });
    channel.listen({
      onBytes: (bytes) => {
        if (this.#lost !== undefined) return;
        if (!this.#reader.read(bytes)) this.#lose('it says what nobody understands');
        else if (this.#reader.hasGreeted) this.#greeted.resolve();
      },
      onClosed: (why) => this.#lose(why),
    });
    channel.write(`${script}${sayWord(hello)}`);
  }

  static async greet(channel: Channel, options: ShellOptions): Promise<HostShell> {
    const shell = new HostShell(channel, options);
    await shell.#greeted.promise;
    return shell;
  }

  /** Rejects with `ShellLost` when the machine goes before it answers. */
  async ask(...words: readonly (string | number)[]): Promise<Answer> {
    const [id, answer] = this.#expect();
    this.#channel.write(`il_ask ${id} ${quoted(words)}\n`);
    return await answer;
  }

  /**
   * Gives bytes to a script that has `il_put`. A shell may read more than the line that it is at, so
   * the bytes follow when the program listens that takes them.
   */
  async put(bytes: Buffer, ...words: readonly (string | number)[]): Promise<Answer> {
    const [listeningId, listening] = this.#expect();
    const [id, answer] = this.#expect();
    answer.catch(() => {});
    this.#channel.write(`il_put ${listeningId} ${id} ${bytes.length} ${quoted(words)}\n`);
    await listening;
    this.#channel.write(bytes);
    return await answer;
  }

  close(): void {
    this.#channel.close();
    this.#lose('it was closed');
  }

  #expect(): readonly [id: number, answer: Promise<Answer>] {
    if (this.#lost !== undefined) throw new ShellLost(this.#lost);
    this.#lastId += 1;
    const answer = Promise.withResolvers<Answer>();
    this.#waiting.set(this.#lastId, answer);
    return [this.#lastId, answer.promise];
  }

  #lose(why: string): void {
    if (this.#lost !== undefined) return;
    this.#lost = why;
    const error = new ShellLost(why);
    this.#greeted.reject(error);
    for (const answer of this.#waiting.values()) answer.reject(error);
    this.#waiting.clear();
    this.#onLost(why);
  }
}

function quoted(words: readonly (string | number)[]): string {
  return words.map((word) => quote(String(word))).join(' ');
}
