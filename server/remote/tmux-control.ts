import { setTimeout as delay } from 'node:timers/promises';
import { assert } from '../domain/assert.ts';
import type { Channel } from './channel.ts';
import { type ControlWord, ControlReader } from './control-lines.ts';
import { overrun, UnaskedMeter } from './host-limits.ts';
import { lossOf, ShellLost } from './host-shell.ts';

export interface ControlReply {
  readonly succeeded: boolean;
  readonly lines: readonly string[];
}

export interface ControlListener {
  readonly onLost: (error: ShellLost) => void;
  /** Some session is not there any more, or new. */
  readonly onStirred: () => void;
}

/**
 * A client of tmux that is steered by lines. It only ever says words of letters, digits and a few
 * signs, so nothing that a plan says is read by tmux: neither as a command nor as a format.
 */
export class TmuxControl {
  readonly #channel: Channel;
  readonly #listener: ControlListener;
  readonly #waiting: Asked[] = [];
  readonly #meter = new UnaskedMeter();
  readonly #decoder = new TextDecoder();
  readonly #greeted = Promise.withResolvers<void>();
  #replies: ControlReply[] = [];
  readonly #silenceMs: number;
  #lost: ShellLost | undefined;

  constructor(channel: Channel, listener: ControlListener, silenceMs = SILENCE_MS) {
    this.#silenceMs = silenceMs;
    this.#channel = channel;
    this.#listener = listener;
    const reader = new ControlReader((word) => this.#hear(word));
    channel.listen({
      onBytes: (bytes) => {
        if (this.#lost !== undefined) return;
        const fault =
          this.#meter.count(bytes.length) ??
          reader.read(this.#decoder.decode(bytes, { stream: true }));
        if (fault !== undefined) this.#fail(lossOf(fault, 'tmux'));
      },
      onClosed: (why) => this.#lose(new ShellLost(why)),
    });
  }

  /** Commands that tmux carries out one right after the other; the first that fails is the last. */
  async ask(...commands: readonly (readonly string[])[]): Promise<readonly ControlReply[]> {
    if (this.#lost !== undefined) throw this.#lost;
    for (const word of commands.flat()) assert(WORD.test(word), 'tmux reads plain words only');
    const answer = Promise.withResolvers<readonly ControlReply[]>();
    this.#waiting.push({ ...answer, replies: commands.length });
    const line = commands.map((words) => words.map(quoted).join(' ')).join(' ; ');
    this.#channel.write(`${line}\ndisplay-message -p ${DONE}\n`);
    // One that is stopped, or waits for its disk, would keep all tasks from starting, and from ending.
    const answered = new AbortController();
    void delay(this.#silenceMs, undefined, { signal: answered.signal, ref: false }).then(
      () => this.#fail(new ShellLost('tmux does not answer')),
      // It has answered in time.
      () => {},
    );
    try {
      return await answer.promise;
    } finally {
      answered.abort();
    }
  }

  close(): void {
    this.#fail(new ShellLost('it was closed'));
  }

  /** What is said to it before it listens, whoever has its place until then would take for its own. */
  get greeted(): Promise<void> {
    return this.#greeted.promise;
  }

  #hear(word: ControlWord): void {
    this.#greeted.resolve();
    if (word.kind === 'note') {
      if (word.name === 'exit') this.#lose(new ShellLost('tmux has ended'));
      else if (word.name === 'sessions-changed') this.#listener.onStirred();
      return;
    }
    const isDone = word.succeeded && word.lines.length === 1 && word.lines[0] === DONE;
    if (!isDone) {
      this.#replies.push(word);
      if (this.#replies.length > (this.#waiting[0]?.replies ?? 0))
        this.#fail(lossOf(overrun('more answers of tmux than were asked for')));
      return;
    }
    const replies = this.#replies;
    this.#replies = [];
    this.#waiting.shift()?.resolve(replies);
  }

  #fail(error: ShellLost): void {
    this.#lose(error);
    this.#channel.close();
  }

  #lose(error: ShellLost): void {
    if (this.#lost !== undefined) return;
    this.#lost = error;
    this.#replies = [];
    this.#greeted.reject(error);
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    this.#listener.onLost(error);
  }
}

interface Asked extends PromiseWithResolvers<readonly ControlReply[]> {
  /** One for each command, at most. */
  readonly replies: number;
}

const SILENCE_MS = 30_000;
/** No option and no name of ours says this. */
const DONE = 'interlock-done';
/** A format may name a variable of tmux; data never has such a sign in it. */
const WORD = /^(?:[\w@+=:,./> -]|#\{[a-z_]+\})+$/;

/** Nothing stands for anything else between such quotes. */
function quoted(word: string): string {
  return /[ >#]/.test(word) ? `'${word}'` : word;
}
