import { setTimeout as delay } from 'node:timers/promises';
import { type Link, LinkError } from './channel.ts';
import { UnfitMachine } from './host-facts.ts';
import { ShellLost } from './host-shell.ts';
import { type Machine, reach } from './machine.ts';

export interface ConnectionListener {
  readonly onReached: (machine: Machine) => void;
  /** Nothing that was asked for and not answered is known to have been done. */
  readonly onLost: (why: string) => void;
  readonly onEnd: (term: number) => void;
  /** Nobody has heard of it for so long that what it does is given up. */
  readonly onGivenUp: () => void;
}

export interface ConnectionOptions {
  readonly link: Link;
  readonly board: string;
  readonly newWord: () => string;
  /** Between nought and one. */
  readonly random: () => number;
}

const RETRY_MS = { first: 500, most: 30_000 } as const;
const JITTER = 0.2;
const BEAT_MS = 5000;
const SILENCE_MS = 15_000;
const STALE_MS = 60_000;
const FAILURES = 3;

/** Keeps us connected to a machine, and knows since when nobody has heard of it. */
export class MachineConnection {
  readonly #options: ConnectionOptions;
  readonly #listener: ConnectionListener;
  readonly #closing = new AbortController();
  #machine: Machine | undefined;
  #failures = 0;
  #heardAt = performance.now();
  #hasGivenUp = false;
  #why = '';

  constructor(options: ConnectionOptions, listener: ConnectionListener) {
    this.#options = options;
    this.#listener = listener;
  }

  get machine(): Machine | undefined {
    return this.#machine;
  }

  /** Why there is none, as a clause. */
  get why(): string {
    return this.#why;
  }

  begin(): void {
    void this.#go();
  }

  close(): void {
    this.#closing.abort();
    this.#machine?.close();
    this.#options.link.close();
  }

  async #go(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const lost = Promise.withResolvers<string>();
      const machine = await this.#reach(lost.resolve);
      if (machine !== undefined) {
        this.#reached(machine);
        this.#why = await Promise.race([lost.promise, this.#beat(machine)]);
        this.#machine = undefined;
        machine.close();
        this.#listener.onLost(this.#why);
      }
      this.#giveUpIfStale();
      await this.#pause();
    }
  }

  async #reach(onLost: (why: string) => void): Promise<Machine | undefined> {
    const { link, board, newWord } = this.#options;
    const { onEnd } = this.#listener;
    try {
      return await reach(link, { board, hello: newWord() }, { onEnd, onLost });
    } catch (error) {
      if (
        !(error instanceof LinkError || error instanceof UnfitMachine || error instanceof ShellLost)
      )
        throw error;
      this.#why = error.message;
      this.#failures += 1;
      return undefined;
    }
  }

  #reached(machine: Machine): void {
    this.#machine = machine;
    [this.#failures, this.#hasGivenUp, this.#why] = [0, false, ''];
    this.#heardAt = performance.now();
    this.#listener.onReached(machine);
  }

  /** Resolves, with why, when it says nothing more. */
  async #beat(machine: Machine): Promise<string> {
    for (;;) {
      await this.#sleep(BEAT_MS);
      if (this.#machine !== machine) return '';
      const silence = new AbortController();
      const late = delay(SILENCE_MS, 'it does not answer', { signal: silence.signal });
      const answer = machine.shell.ask('il_beat').then(() => undefined);
      const why = await Promise.race([answer, late]).catch((error: unknown) => String(error));
      silence.abort();
      late.catch(() => {});
      if (why !== undefined) return why;
      this.#heardAt = performance.now();
    }
  }

  #giveUpIfStale(): void {
    const isStale = performance.now() - this.#heardAt > STALE_MS && this.#failures >= FAILURES;
    if (!isStale || this.#hasGivenUp) return;
    this.#hasGivenUp = true;
    this.#listener.onGivenUp();
  }

  async #pause(): Promise<void> {
    const { random } = this.#options;
    const pauseMs = Math.min(RETRY_MS.first * 2 ** this.#failures, RETRY_MS.most);
    await this.#sleep(pauseMs * (1 + JITTER * (2 * random() - 1)));
  }

  async #sleep(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#closing.signal }).catch(() => {});
  }
}
