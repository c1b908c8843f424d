import { setTimeout as delay } from 'node:timers/promises';
import { quote } from '../domain/shell-words.ts';
import { sayWord } from './after-word.ts';
import { type Answer, AnswerReader } from './answers.ts';
import type { Channel } from './channel.ts';
import { type AnswerBounds, LINES_ONLY, type ReadFault } from './host-limits.ts';
import { HOST_SCRIPT } from './host-script.ts';

/** The way to the machine is gone: what was asked for may have been done, or not. */
export class ShellLost extends Error {}

/** The machine sent more than it may, so we have left it; the message is a clause for the user. */
export class HostOverrun extends ShellLost {}

interface ShellOptions {
  /** A word that nobody else says by chance. */
  readonly hello: string;
  readonly onLost: (error: ShellLost) => void;
  /** The functions that it is asked for; absent: those of a board. */
  readonly script?: string;
  /** How long an answer may take; a shell that is silent for longer is lost. */
  readonly answerMs?: number;
}

const GREETING_MS = 60_000;
const ANSWER_MS = 60_000;

interface Request extends PromiseWithResolvers<Answer> {
  readonly bounds: AnswerBounds;
  /** Aborted when it has come. */
  readonly answered: AbortController;
}

/** A shell on a machine that does what `host-script.ts` says, one request after the other. */
export class HostShell {
  readonly #channel: Channel;
  readonly #reader: AnswerReader;
  /** In the order in which they are answered. */
  readonly #waiting = new Map<number, Request>();
  readonly #greeted = Promise.withResolvers<void>();
  readonly #greeting: AbortController;
  readonly #answerMs: number;
  readonly #onLost: (error: ShellLost) => void;
  #lost: ShellLost | undefined;
  #lastId = 0;

  private constructor(channel: Channel, options: ShellOptions) {
    const { hello, onLost, script = HOST_SCRIPT, answerMs = ANSWER_MS } = options;
    this.#channel = channel;
    this.#onLost = onLost;
    this.#answerMs = answerMs;
    this.#greeting = this.#limit(GREETING_MS);
    this.#reader = new AnswerReader(hello, {
      bounds: () => this.#next()?.bounds,
      onAnswer: (answer) => this.#answered(answer),
    });
    channel.listen({
      onBytes: (bytes) => {
        if (this.#lost !== undefined) return;
        const fault = this.#reader.read(bytes);
        if (fault !== undefined) this.#leave(lossOf(fault));
        else if (this.#reader.hasGreeted) {
          this.#greeting.abort();
          this.#greeted.resolve();
        }
      },
      onClosed: (why) => this.#lose(new ShellLost(why)),
    });
    channel.write(`${script}${sayWord(hello)}`);
  }

  static async greet(channel: Channel, options: ShellOptions): Promise<HostShell> {
    const shell = new HostShell(channel, options);
    await shell.#greeted.promise;
    return shell;
  }

  /** Rejects with `ShellLost` when the machine goes before it answers, or says too much. */
  async ask(...words: readonly (string | number)[]): Promise<Answer> {
    return await this.#ask(LINES_ONLY, words);
  }

  /** The same for pieces of files: of each no more than so many bytes. */
  async askForPieces(
    pieces: readonly number[],
    ...words: readonly (string | number)[]
  ): Promise<Answer> {
    return await this.#ask({ ...LINES_ONLY, pieces }, words);
  }

  async #ask(bounds: AnswerBounds, words: readonly (string | number)[]): Promise<Answer> {
    const [id, answer] = this.#expect(bounds);
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
    this.#leave(new ShellLost('it was closed'));
  }

  /** What it claims cannot be: nothing more is read of it. `what` is a clause such as "it claims …". */
  refuse(what: string): HostOverrun {
    const error = new HostOverrun(what);
    this.#leave(error);
    return error;
  }

  #expect(bounds = LINES_ONLY): readonly [id: number, answer: Promise<Answer>] {
    if (this.#lost !== undefined) throw this.#lost;
    this.#lastId += 1;
    const answer = Promise.withResolvers<Answer>();
    const answered = this.#limit(this.#answerMs);
    this.#waiting.set(this.#lastId, { ...answer, bounds, answered });
    return [this.#lastId, answer.promise];
  }

  #next(): Request | undefined {
    return this.#waiting.values().next().value;
  }

  /** One shell answers one request after the other, so the first that waits is the one. */
  #answered(answer: Answer): void {
    const request = this.#next();
    if (request === undefined || this.#waiting.get(answer.id) !== request) {
      this.#leave(new ShellLost('it answers what nothing asked'));
      return;
    }
    this.#waiting.delete(answer.id);
    request.answered.abort();
    request.resolve(answer);
  }

  /** Aborting it ends the wait. */
  #limit(ms: number): AbortController {
    const over = new AbortController();
    void delay(ms, undefined, { signal: over.signal, ref: false }).then(
      () => this.#leave(new ShellLost('it does not answer in time')),
      // It has answered in time.
      () => {},
    );
    return over;
  }

  #leave(error: ShellLost): void {
    this.#lose(error);
    this.#channel.close();
  }

  #lose(error: ShellLost): void {
    if (this.#lost !== undefined) return;
    this.#lost = error;
    this.#greeting.abort();
    this.#greeted.reject(error);
    for (const { answered, reject } of this.#waiting.values()) {
      answered.abort();
      reject(error);
    }
    this.#waiting.clear();
    this.#onLost(error);
  }
}

/** Why nothing more is read of a machine. */
export function lossOf(fault: ReadFault, who = 'it'): ShellLost {
  if (fault.kind === 'overrun') return new HostOverrun(fault.why);
  return new ShellLost(`${who} says what nobody understands`);
}

function quoted(words: readonly (string | number)[]): string {
  return words.map((word) => quote(String(word))).join(' ');
}
