import { displayText, inShort } from '../domain/display-text.ts';
import type { RunId, TaskId, WorkerId } from '../domain/ids.ts';
import type { PathRules } from '../domain/paths/overlap.ts';
import type { TenureOptions } from '../engine/begin-tenure.ts';
import type { BoardCalls } from '../engine/board-calls.ts';
import { Engine } from '../engine/engine.ts';
import { EngineCalls } from '../engine/engine-calls.ts';
import { lateNews } from '../engine/late-news.ts';
import type {
  Alarm,
  AttemptProofs,
  Clock,
  HeldLock,
  Listener,
  Runner,
  RunnerNews,
} from '../engine/ports.ts';
import { isFailedDisk, StoreError } from '../engine/store-error.ts';
import { systemFailure } from '../engine/system-failure.ts';
import type { LedgerEntry, Store } from '../engine/store-port.ts';
import type { TreeWatch } from '../engine/tree-watch.ts';
import { deposed } from '../engine/step.ts';
import { BEAT_MS } from './holder-watch.ts';
import type { Links, LinkServer } from './links.ts';
import { SlowLook } from './slow-look.ts';

export interface DecidingParts {
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly store: Store;
  readonly links: Links;
  /** `mayAct` says whether this process decides still; asked before what follows from no commit. */
  readonly newRunner: (news: RunnerNews, mayAct: () => boolean) => Runner;
  /** What this machine has: `cpu`, `memory`. */
  readonly machine: TenureOptions['machine'];
  /** Absent: nobody looks at what tasks write. */
  readonly watch?: TreeWatch;
  /** Absent: nobody can speak as the command of a task. */
  readonly proofs?: AttemptProofs;
}

interface DecidingOptions {
  readonly name: string;
  readonly rules: PathRules;
  readonly lock: HeldLock;
  readonly listener: DecidingListener;
}

/** Whoever is in this process; others are told over their links. */
export interface DecidingListener {
  committed(entries: readonly LedgerEntry[]): void;
  woken(worker: WorkerId, task: { readonly run: RunId; readonly task: TaskId }): void;
  noticed(sentence: string): void;
  faulted(error: unknown): void;
  halted(sentence: string): void;
  /** A newer build asks to decide. */
  yieldAsked(deciding: Deciding): void;
  /** Nothing more is to be decided in this tenure. */
  failed(deciding: Deciding, failure: unknown): void;
}

const OBSERVE_MS = 2000;

/** One tenure: an engine, and those who ask it. It has the board's lock as long as it lasts. */
export class Deciding {
  readonly engine: Engine;
  readonly calls: BoardCalls;
  readonly #parts: DecidingParts;
  readonly #options: DecidingOptions;
  readonly #server: LinkServer;
  #failure: unknown;
  #look: SlowLook | undefined;
  #due: Disposable | undefined;

  constructor(parts: DecidingParts, options: DecidingOptions) {
    this.#parts = parts;
    this.#options = options;
    const { clock, alarm, store, newRunner, links, watch, proofs } = parts;
    let engine: Engine | undefined;
    const runner = newRunner(
      lateNews(() => engine),
      () => this.isCurrent,
    );
    this.#server = links.server(() => alarm.soon(() => options.listener.yieldAsked(this)));
    const listener = this.#listener();
    const ports = { clock, alarm, store, runner, listener, ...(watch && { watch }) };
    engine = new Engine(ports, { rules: options.rules });
    this.engine = engine;
    this.calls = new EngineCalls(engine, proofs);
    this.#beat();
  }

  /** Whether no other process has taken the board from this one while it was stopped. */
  get isCurrent(): boolean {
    return this.#failure === undefined && this.#options.lock.beat();
  }

  /** Others take the board from a process that does not beat. */
  #beat(): void {
    if (!this.#options.lock.beat()) {
      this.#fail(deposed());
      return;
    }
    this.#due = this.#parts.alarm.after(BEAT_MS, () => this.#beat());
  }

  async begin({
    permission,
    carriesOn,
    isTakeover,
  }: Pick<Required<TenureOptions>, 'permission' | 'carriesOn' | 'isTakeover'>): Promise<void> {
    const { engine } = this;
    const [{ name }, { machine }] = [this.#options, this.#parts];
    await engine.begin({ name, permission, carriesOn, machine, isTakeover });
    // It may have been stopped and taken over meanwhile: the way in is that of its successor then.
    if (this.#failure !== undefined || !this.isCurrent) throw this.#failure ?? deposed();
    await this.#server.open(this.calls, () => engine.revision);
    if (this.#failure !== undefined) {
      await this.#server.close();
      throw this.#failure;
    }
    const [{ alarm }, { listener }] = [this.#parts, this.#options];
    const server = { restore: async () => await this.#restore() };
    this.#look = new SlowLook({ alarm, engine, server, listener });
  }

  /** A process that wakes up must not put its own way in where that of its successor is. */
  async #restore(): Promise<void> {
    if (this.isCurrent) await this.#server.restore();
  }

  /** It has not begun. */
  abandon(): void {
    this.#due?.[Symbol.dispose]();
    this.engine.end();
  }

  /** Commands go on, and whoever decides next finds them. */
  async end(): Promise<void> {
    this.#look?.[Symbol.dispose]();
    this.#due?.[Symbol.dispose]();
    if (this.#failure === undefined) await this.#observed();
    this.engine.end();
    await this.#server.close();
    this.#options.lock[Symbol.dispose]();
  }

  /** What was written last is found now or never; nobody waits for it for long. */
  async #observed(): Promise<void> {
    const late = Promise.withResolvers<void>();
    using _ = this.#parts.alarm.after(OBSERVE_MS, late.resolve);
    await Promise.race([this.engine.observed(), late.promise]);
  }

  #listener(): Listener {
    const { name, listener } = this.#options;
    return {
      committed: (entries) => {
        listener.committed(entries);
        this.#server.tell(entries);
      },
      woken: (worker, task) => {
        listener.woken(worker, task);
        this.#server.wake(worker, task);
      },
      noticed: (sentence) => listener.noticed(sentence),
      faulted: (error) => this.#faulted(error),
      halted: (error) => {
        const sentence = haltSentence(name, error);
        listener.halted(sentence);
        this.#server.halt(sentence);
      },
      lost: (error) => this.#fail(error),
    };
  }

  #faulted(error: unknown): void {
    if (this.#failure !== undefined) return;
    const { listener } = this.#options;
    listener.faulted(error);
    if (endsTenure(error)) this.#fail(error);
  }

  #fail(failure: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = failure;
    this.#parts.alarm.soon(() => this.#options.listener.failed(this, failure));
  }
}

/** Whoever decides must not write any more, or must look at the file again first. */
function endsTenure(error: unknown): boolean {
  return isFailedDisk(error) || (error instanceof StoreError && error.reason === 'newer');
}

/** It is read in this process and in others. */
function haltSentence(name: string, error: unknown): string {
  const failure = systemFailure(error);
  if (failure !== undefined)
    return `${failure} ${name} starts and ends nothing more, and what runs goes on. End that process and run again.`;
  const what = inShort(displayText(String(error)));
  return (
    `Interlock found a mistake of its own in deciding (${what}): ${name} starts and ends nothing more, and what runs goes on. ` +
    'End that process and run again; please report it with what "interlock export" writes.'
  );
}
