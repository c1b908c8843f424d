import { setTimeout as delay } from 'node:timers/promises';
import { type Channel, type Link, LinkError } from './channel.ts';
import { readLoad, UnfitMachine } from './host-facts.ts';
import { HostOverrun, ShellLost } from './host-shell.ts';
import type { ToldEnd } from './ends-reader.ts';
import { type Machine, reach } from './machine.ts';

export interface ConnectionListener {
  readonly onReached: (machine: Machine) => void;
  /** Nothing that was asked for and not answered is known to have been done. */
  readonly onLost: (why: string) => void;
  readonly onEnd: (term: number, end: ToldEnd | undefined) => void;
  /** Something that nobody told the end of may have ended. */
  readonly onStirred: () => void;
  /** Nobody has heard of it for so long that what it does is given up. */
  readonly onGivenUp: () => void;
  readonly onState?: (state: HostState) => void;
}

export interface ConnectionOptions {
  readonly link: Link;
  readonly board: string;
  readonly newWord: () => string;
  /** Between nought and one. */
  readonly random: () => number;
  readonly timing?: ConnectionTiming;
  /** A mistake of ours; what can go on does. */
  readonly faulted: (error: unknown) => void;
}

/** How the way to a machine is; `why` is a clause for the user. */
export type HostState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'reachable'; readonly load: number }
  /** It was there a moment ago. */
  | { readonly kind: 'reconnecting'; readonly why: string }
  | { readonly kind: 'unreachable'; readonly why: string }
  /** Nothing is expected of it any more until it is there again. */
  | { readonly kind: 'unhealthy'; readonly why: string };

export interface ConnectionTiming {
  readonly retryMs: { readonly first: number; readonly most: number };
  readonly beatMs: number;
  readonly silenceMs: number;
  readonly staleMs: number;
}

const TIMING: ConnectionTiming = {
  retryMs: { first: 500, most: 30_000 },
  beatMs: 5000,
  silenceMs: 15_000,
  staleMs: 60_000,
};
/** Whoever lets us in has so many times as long to be ready as to answer: it may be busy. */
const PATIENCE = 4;
const JITTER = 0.2;
const FAILURES = 3;
/** So often, of the longest pause, is the pause after a login that was refused, or a host that sent too much. */
const REFUSED = 10;

/** Keeps us connected to a machine, and knows since when nobody has heard of it. */
export class MachineConnection {
  readonly #options: ConnectionOptions;
  readonly #timing: ConnectionTiming;
  readonly #listener: ConnectionListener;
  readonly #closing = new AbortController();
  #machine: Machine | undefined;
  #failures = 0;
  #isRefused = false;
  #waiting = new AbortController();
  #drop: (error: ShellLost) => void = () => {};
  #heardAt = performance.now();
  #state: HostState = { kind: 'connecting' };

  constructor(options: ConnectionOptions, listener: ConnectionListener) {
    this.#options = options;
    this.#timing = options.timing ?? TIMING;
    this.#listener = listener;
  }

  get machine(): Machine | undefined {
    return this.#machine;
  }

  get state(): HostState {
    return this.#state;
  }

  begin(): void {
    void this.#go();
  }

  /** Something else than its connection found that it sends more than it may. */
  shun(error: HostOverrun): void {
    this.#drop(error);
  }

  /** Somebody has done something about it: it is tried at once. */
  hurry(): void {
    this.#waiting.abort();
  }

  close(): void {
    this.#closing.abort();
    this.#machine?.close();
    this.#options.link.close();
  }

  async #go(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const lost = Promise.withResolvers<ShellLost>();
      const machine = await this.#reach(lost.resolve);
      this.#drop = lost.resolve;
      if (machine !== undefined) {
        if (this.#closing.signal.aborted) {
          machine.close();
          return;
        }
        this.#reached(machine);
        const error = await Promise.race([lost.promise, this.#beat(machine)]);
        this.#machine = undefined;
        machine.close();
        if (this.#closing.signal.aborted) return;
        this.#isRefused = error instanceof HostOverrun;
        if (!this.#isRefused) this.#turn({ kind: 'reconnecting', why: error.message });
        this.#listener.onLost(error.message);
        if (error instanceof HostOverrun) this.#giveUp(this.#shunned(error));
      }
      await this.#pause();
    }
  }

  async #reach(onLost: (error: ShellLost) => void): Promise<Machine | undefined> {
    const { board, newWord } = this.#options;
    const { onEnd, onStirred } = this.#listener;
    try {
      return await this.#inTime(
        async (link) =>
          await reach(link, { board, hello: newWord() }, { onEnd, onStirred, onLost }),
      );
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  /** A way has limits of its own until there is a shell; what its files do there may last for ever. */
  async #inTime(act: (link: Link) => Promise<Machine>): Promise<Machine> {
    const { link } = this.#options;
    const isIn = Promise.withResolvers<void>();
    const done = new AbortController();
    const channels: Channel[] = [];
    const open = async (): Promise<Channel> => {
      const channel = await link.open();
      channels.push(channel);
      isIn.resolve();
      return channel;
    };
    const late = async (): Promise<never> => {
      await isIn.promise;
      const limitMs = this.#timing.silenceMs * PATIENCE;
      await delay(limitMs, undefined, { signal: done.signal, ref: false });
      throw new ShellLost('its shell says nothing');
    };
    try {
      return await Promise.race([act({ open, close: () => link.close() }), late()]);
    } catch (error) {
      for (const channel of channels) channel.close();
      throw error;
    } finally {
      done.abort();
    }
  }

  #reached(machine: Machine): void {
    this.#machine = machine;
    this.#failures = 0;
    this.#heardAt = performance.now();
    this.#turn({ kind: 'reachable', load: machine.facts.load });
    this.#listener.onReached(machine);
  }

  #failed(error: unknown): void {
    const isExpected =
      error instanceof LinkError || error instanceof UnfitMachine || error instanceof ShellLost;
    if (!isExpected) this.#options.faulted(error);
    if (this.#closing.signal.aborted) return;
    this.#failures += 1;
    this.#isRefused =
      error instanceof HostOverrun || (error instanceof LinkError && error.isRefused);
    if (error instanceof HostOverrun) {
      this.#giveUp(this.#shunned(error));
      return;
    }
    const why = error instanceof Error ? error.message : String(error);
    const isStale = performance.now() - this.#heardAt > this.#timing.staleMs;
    if (isStale && this.#failures >= FAILURES) this.#giveUp(why);
    else if (this.#failures >= FAILURES || needsSomebody(error))
      this.#turn({ kind: 'unreachable', why });
    else this.#turn({ kind: 'reconnecting', why });
  }

  #giveUp(why: string): void {
    const isNews = this.#state.kind !== 'unhealthy';
    this.#turn({ kind: 'unhealthy', why });
    if (isNews) this.#listener.onGivenUp();
  }

  /** It may be hostile, so it is asked seldom; somebody who has looked into it need not wait. */
  #shunned(error: HostOverrun): string {
    const minutes = Math.ceil((this.#timing.retryMs.most * REFUSED) / 60_000);
    return `${error.message}; it is not used for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}, or until you check the host`;
  }

  /** Resolves, with why, when it says nothing more. */
  async #beat(machine: Machine): Promise<ShellLost> {
    const { beatMs, silenceMs } = this.#timing;
    for (;;) {
      await this.#sleep(beatMs);
      if (this.#machine !== machine) return new ShellLost('');
      const silence = new AbortController();
      const late = delay(silenceMs, 'late', { signal: silence.signal }).catch(() => {});
      const answer = machine.shell.ask('il_beat');
      const load = await Promise.race([answer.then(readBeat), late]).catch(() => {});
      silence.abort();
      if (load === 'late') this.#options.link.renew?.();
      if (typeof load !== 'number') return new ShellLost('it does not answer');
      this.#heardAt = performance.now();
      if (this.#machine === machine) this.#turn({ kind: 'reachable', load });
    }
  }

  #turn(state: HostState): void {
    this.#state = state;
    this.#listener.onState?.(state);
  }

  async #pause(): Promise<void> {
    const { first, most } = this.#timing.retryMs;
    const pauseMs = this.#isRefused ? most * REFUSED : Math.min(first * 2 ** this.#failures, most);
    this.#waiting = new AbortController();
    const signal = AbortSignal.any([this.#waiting.signal, this.#closing.signal]);
    const jitter = 1 + JITTER * (2 * this.#options.random() - 1);
    await delay(pauseMs * jitter, undefined, { signal, ref: false }).catch(() => {});
  }

  async #sleep(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#closing.signal, ref: false }).catch(() => {});
  }
}

function readBeat({ lines }: { readonly lines: readonly string[] }): number {
  return readLoad(lines);
}

/** Trying again changes nothing until somebody has done something. */
function needsSomebody(error: unknown): boolean {
  return error instanceof UnfitMachine || (error instanceof LinkError && !error.mayPass);
}
