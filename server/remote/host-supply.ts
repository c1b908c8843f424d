import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { HostDefinition } from '../domain/host.ts';
import type { Launch } from '../engine/ports.ts';
import { isOfSystem } from '../runners/system-error.ts';
import type { Link } from './channel.ts';
import { ShellLost } from './host-shell.ts';
import type { Machine } from './machine.ts';
import { type MachineOrder, machineOrder } from './machine-order.ts';
import type { Supply } from './supply.ts';
import type { Refusal } from './task-session.ts';
import type { Sync } from './sync/sync.ts';

export interface HostSupplyOptions {
  readonly board: string;
  /** What the repository is called. */
  readonly repo: string;
  readonly host: HostDefinition;
  readonly link: Link;
  readonly sync: Sync;
  readonly logFile: (launch: Launch) => string;
  readonly noticed: (sentence: string) => void;
}

/** Somebody may be in the middle of a change here. */
const TRIES = 3;
const TRY_AGAIN_MS = 1000;

/** What a task on a host needs is sent there, and what it has made comes back. */
export class HostSupply implements Supply {
  readonly #options: HostSupplyOptions;
  readonly #closing = new AbortController();

  constructor(options: HostSupplyOptions) {
    this.#options = options;
  }

  async prepare(
    launch: Launch,
    _machine: Machine,
    signal: AbortSignal,
  ): Promise<MachineOrder | Refusal> {
    const { board, repo, host, link, sync } = this.#options;
    const { root, term, definition } = launch;
    const wish = { root, term, cwd: definition.cwd, reads: definition.reads };
    const prepared = await sync.prepare({ link, host }, wish, signal);
    if ('refusal' in prepared) {
      // Another of its hosts may do.
      const isAlone = (definition.asks?.hosts?.length ?? 0) < 2;
      return { ...prepared, mayPass: prepared.mayPass || !isAlone };
    }
    for (const sentence of prepared.notices) this.#options.noticed(sentence);
    return machineOrder(launch, { board, repo, folder: prepared.folder, environment: {} });
  }

  async collect(launch: Launch): Promise<'here' | 'lost'> {
    const { host, link, sync } = this.#options;
    const { root, term, definition } = launch;
    const wish = {
      root,
      term,
      task: definition.id,
      host: host.name,
      outputs: definition.writes,
      artifacts: [],
      keptFolder: `${this.logFile(launch)}.kept`,
    };
    const { signal } = this.#closing;
    for (let tries = 1; ; tries += 1) {
      const collected = await sync.collect({ link, host }, wish, signal).catch(asClosed(signal));
      if ('notices' in collected) {
        this.#note(launch, collected.notices);
        return 'here';
      }
      if (!collected.mayPass || tries >= TRIES) {
        this.#note(launch, [collected.failure]);
        return 'lost';
      }
      await delay(TRY_AGAIN_MS * tries);
    }
  }

  async terms(): Promise<readonly number[]> {
    const { host, link, sync } = this.#options;
    return await sync.terms({ link, host });
  }

  async discard(terms: readonly number[]): Promise<void> {
    const { host, link, sync } = this.#options;
    await sync.discard({ link, host }, terms);
  }

  logFile(launch: Launch): string {
    return this.#options.logFile(launch);
  }

  close(): void {
    this.#closing.abort();
  }

  /** Whoever was not there reads it in the log. */
  #note(launch: Launch, sentences: readonly string[]): void {
    for (const sentence of sentences) {
      this.#options.noticed(sentence);
      try {
        appendFileSync(this.logFile(launch), `${sentence}\n`, { mode: 0o600 });
      } catch (error) {
        if (!isOfSystem(error)) throw error;
      }
    }
  }
}

/** Whoever has closed it knows why nothing came. */
function asClosed(signal: AbortSignal): (error: unknown) => never {
  return (error) => {
    throw signal.aborted ? new ShellLost('it was closed', { cause: error }) : error;
  };
}
