import { assert } from '../domain/assert.ts';
import { displayText, inShort } from '../domain/display-text.ts';
import type { RunId, TaskId, WorkerId } from '../domain/ids.ts';
import type { PathRules } from '../domain/paths/overlap.ts';
import { decideTurn } from '../scheduler/decide.ts';
import type { BoardModel, Permission } from '../scheduler/model/board-model.ts';
import type { Turn } from '../scheduler/predicate/turn.ts';
import type { TenureOptions } from '../engine/begin-tenure.ts';
import { Engine } from '../engine/engine.ts';
import { EngineCalls } from '../engine/engine-calls.ts';
import type { BoardCalls } from '../engine/board-calls.ts';
import type { Alarm, BoardLock, Clock, OnCommandEnd, Runner } from '../engine/ports.ts';
import type { LedgerEntry, Store } from '../engine/store-port.ts';
import { StoreError } from '../engine/store-error.ts';
import { Follower } from './follower.ts';
import type { BoardLink, LinkListener, Links } from './links.ts';
import { RoutedCalls } from './routed-calls.ts';

export interface KeeperParts {
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly store: Store;
  readonly lock: BoardLock;
  readonly links: Links;
  readonly newRunner: (onEnd: OnCommandEnd) => Runner;
  /** What this machine has: `cpu`, `memory`. */
  readonly machine: TenureOptions['machine'];
}

export interface KeeperOptions {
  readonly rules: PathRules;
  readonly name: string;
  readonly permission: Permission;
  readonly carriesOn: TenureOptions['carriesOn'];
  readonly listener: KeeperListener;
}

/** Whoever shows the board. */
interface KeeperListener {
  /** These are on the disk now; the board has seen them. */
  changed(entries: readonly LedgerEntry[]): void;
  woken?(worker: WorkerId, task: { readonly run: RunId; readonly task: TaskId }): void;
  /** Something the user should know; the sentence is complete. */
  noticed(sentence: string): void;
  faulted(error: unknown): void;
  /** Whoever decides starts and ends nothing more, though it is there; the sentence is complete. */
  halted(sentence: string): void;
}

type Role =
  /** It has been asked for nothing yet: it only reads. */
  | { readonly kind: 'looking'; readonly watching: Disposable }
  | { readonly kind: 'seeking' }
  | { readonly kind: 'following'; readonly link: BoardLink }
  | { readonly kind: 'deciding'; readonly engine: Engine; readonly end: () => Promise<void> }
  | { readonly kind: 'closed' };

const SEEK_MS = { first: 5, most: 200 } as const;
/** For how long a store that fails is tried again before anybody is told. */
const PATIENCE_MS = 3000;
/** Whoever asked to decide takes the lock in this time, or does not want it any more. */
const YIELD_MS = 500;
/** And how long it is left alone then, where somebody has to decide. */
const RETRY_MS = 5000;
/** Whoever has the lock listens soon. It is 15 seconds, but for those in which the machine slept. */
const LOST_TRIES = 80;

/**
 * A process's part in a board. One of all that take part decides, by the lock that the system frees
 * when its holder dies; the others ask it, and one of them follows when it goes.
 *
 *     looking ──asked──▶ seeking ──lock──▶ deciding
 *                         ▲   └──socket──▶ following ──it has gone──┐
 *                         └──────────────────────────────────────────┘
 */
export class Keeper {
  readonly #parts: KeeperParts;
  readonly #options: KeeperOptions;
  #followed: Follower | undefined;
  readonly calls: BoardCalls;
  #role: Role;
  #permission: Permission;
  #carriesOn: TenureOptions['carriesOn'];
  #waiting: PromiseWithResolvers<BoardCalls> | undefined;
  /** Why whoever decides was not found. Each is said once in a search. */
  readonly #said = new Set<string>();
  #absences = 0;
  /** Who has the board's lock. */
  #holder = '';
  /** Commands of this process go on, and nobody may be there who looks after them. */
  #hasToDecide = false;
  #saidFailure: string | undefined;
  /** Up to where in the ledger the listener was told. */
  #toldUpTo: number;

  constructor(parts: KeeperParts, options: KeeperOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#permission = options.permission;
    this.#carriesOn = options.carriesOn;
    this.#toldUpTo = parts.store.lastSequence();
    this.calls = new RoutedCalls(async () => this.#route(), parts.alarm);
    const watching = parts.store.watch(() => this.#catchUp());
    this.#role = { kind: 'looking', watching };
  }

  /** All that has happened, as far as this process knows. */
  get board(): BoardModel {
    return this.#role.kind === 'deciding' ? this.#role.engine.board : this.#follower.board;
  }

  /** Read when somebody looks: whoever decides at once has read the board already. */
  get #follower(): Follower {
    this.#followed ??= new Follower(this.#parts.store, this.#options.rules);
    return this.#followed;
  }

  get isDeciding(): boolean {
    return this.#role.kind === 'deciding';
  }

  /** What a view says of tasks that wait. */
  outlook(): Turn {
    if (this.#role.kind === 'deciding') return this.#role.engine.outlook();
    return decideTurn(this.board, this.board.timeAt(this.#parts.clock.now()));
  }

  /** Takes part from now on: as the one who decides, or as one who asks it. */
  async takePart(): Promise<void> {
    await this.#route();
  }

  async permit(permission: Permission): Promise<void> {
    this.#permission = permission;
    if (this.#role.kind === 'deciding') await this.#role.engine.permit(permission);
  }

  /** Lets go of the board. Commands go on, and whoever decides next finds them. */
  async close(): Promise<void> {
    const role = this.#role;
    this.#role = { kind: 'closed' };
    this.#waiting?.reject(new BoardClosed());
    if (role.kind === 'looking') role.watching[Symbol.dispose]();
    if (role.kind === 'following') role.link.close();
    if (role.kind === 'deciding') await role.end();
  }

  async #route(): Promise<BoardCalls> {
    const role = this.#role;
    switch (role.kind) {
      case 'deciding':
        return new EngineCalls(role.engine);
      case 'following':
        return role.link.calls;
      case 'closed':
        throw new BoardClosed();
      case 'looking':
        this.#takeUp();
        break;
      case 'seeking':
        break;
      default:
        return role satisfies never;
    }
    assert(this.#waiting !== undefined, 'whoever seeks is waited for');
    return await this.#waiting.promise;
  }

  #seek(): void {
    this.#role = { kind: 'seeking' };
    this.#wait();
    void this.#tryUntilFound();
  }

  #wait(): void {
    this.#waiting = Promise.withResolvers();
    // Whoever asks in the meantime is told; nobody else needs to be.
    this.#waiting.promise.catch(() => {});
  }

  async #tryUntilFound(): Promise<void> {
    const { clock } = this.#parts;
    const patientUntil = clock.now() + PATIENCE_MS;
    for (let delayMs: number = SEEK_MS.first; this.#role.kind === 'seeking';) {
      try {
        if ((await this.#tryToDecide()) || (await this.#tryToFollow())) return;
      } catch (error) {
        // Somebody may only be copying the file.
        const isPassing =
          isFailedDisk(error) || (error instanceof StoreError && error.reason === 'world');
        if (!isPassing || clock.now() > patientUntil) {
          this.#fail(error);
          return;
        }
      }
      await this.#pause(delayMs);
      delayMs = Math.min(delayMs * 2, SEEK_MS.most);
    }
  }

  async #pause(delayMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#parts.alarm.after(delayMs, resolve);
    });
  }

  async #tryToDecide(): Promise<boolean> {
    const result = this.#parts.lock.acquire();
    if (result.kind === 'held') {
      this.#holder = result.holder;
      return false;
    }
    const { clock, alarm, store, newRunner, links } = this.#parts;
    const { name, rules, listener } = this.#options;
    let engine: Engine | undefined;
    let failure: unknown;
    try {
      const runner = newRunner((term, end) => engine?.ended(term, end));
      const server = links.server(() => alarm.soon(() => void this.#yield(engine)));
      const told = {
        ...listener,
        committed: (entries: readonly LedgerEntry[]) => {
          this.#tell(entries);
          server.tell(entries);
        },
        woken: (worker: WorkerId, task: { run: RunId; task: TaskId }) => {
          listener.woken?.(worker, task);
          server.wake(worker, task);
        },
        noticed: (sentence: string) => listener.noticed(sentence),
        faulted: (error: unknown) => {
          if (failure !== undefined) return;
          listener.faulted(error);
          if (!endsTenure(error)) return;
          failure = error;
          alarm.soon(() => void this.#beginAnew(engine, error));
        },
        halted: (error: unknown) => {
          const sentence = haltSentence(name, error);
          listener.halted(sentence);
          server.halt(sentence);
        },
      };
      engine = new Engine({ clock, alarm, store, runner, listener: told }, { rules });
      const deciding = engine;
      const [permission, carriesOn] = [this.#permission, this.#carriesOn];
      await deciding.begin({ name, permission, carriesOn, machine: this.#parts.machine });
      await server.open(new EngineCalls(deciding), () => deciding.revision);
      if (failure !== undefined) {
        await server.close();
        throw failure;
      }
      const end = async (): Promise<void> => {
        deciding.end();
        await server.close();
        result.lock[Symbol.dispose]();
      };
      await this.#decides(deciding, end);
      return true;
    } catch (error) {
      engine?.end();
      result.lock[Symbol.dispose]();
      throw error;
    }
  }

  async #decides(engine: Engine, end: () => Promise<void>): Promise<void> {
    // It may have been closed while it was finding its way.
    if (this.#role.kind !== 'seeking') {
      await end();
      return;
    }
    this.#found({ kind: 'deciding', engine, end });
    this.#waiting?.resolve(new EngineCalls(engine));
    this.#options.listener.changed([]);
  }

  /** A newer build asks to decide. Commands go on, and it finds them as whoever comes next does. */
  async #yield(asked: Engine | undefined): Promise<void> {
    if (!(await this.#letGoOf(asked))) return;
    await this.#pause(YIELD_MS);
    await this.#tryUntilFound();
  }

  /**
   * A disk that fails may have lost what it took: it is looked at again, as after a crash. A file
   * that a newer build has taken over is left to it.
   */
  async #beginAnew(failed: Engine | undefined, failure: unknown): Promise<void> {
    if (!(await this.#letGoOf(failed))) return;
    this.#hasToDecide = isFailedDisk(failure);
    this.#saidFailure = String(failure);
    await this.#tryUntilFound();
  }

  /** Somebody is to decide next, and this process asks it or is it. `false`: it did not decide. */
  async #letGoOf(engine: Engine | undefined): Promise<boolean> {
    const role = this.#role;
    if (role.kind !== 'deciding' || role.engine !== engine) return false;
    this.#carriesOn = 'all';
    this.#role = { kind: 'seeking' };
    this.#followed = undefined;
    this.#wait();
    await role.end();
    return true;
  }

  async #tryToFollow(): Promise<boolean> {
    let hasGone = false;
    const listener: LinkListener = {
      told: (entries) => this.#catchUp(entries),
      woken: (worker, task) => this.#options.listener.woken?.(worker, task),
      halted: (sentence) => this.#options.listener.halted(sentence),
      gone: () => {
        hasGone = true;
        this.#lost();
      },
    };
    const result = await this.#parts.links.connect(listener, this.#follower.revision);
    if (result.kind === 'absent' || hasGone) {
      this.#absences += 1;
      if (this.#absences >= LOST_TRIES) this.#say(lostSentence(this.#holder));
      return false;
    }
    this.#absences = 0;
    if (result.kind === 'refused') {
      // Nothing gets better by asking more often; it may when the other one ends.
      this.#say(result.message);
      return false;
    }
    if (this.#role.kind !== 'seeking') {
      result.link.close();
      return true;
    }
    this.#found({ kind: 'following', link: result.link });
    this.#catchUp();
    this.#waiting?.resolve(result.link.calls);
    return true;
  }

  #found(role: Role): void {
    this.#role = role;
    this.#said.clear();
    this.#absences = 0;
    this.#hasToDecide = false;
    this.#saidFailure = undefined;
  }

  #say(sentence: string): void {
    if (this.#said.has(sentence)) return;
    this.#said.add(sentence);
    this.#options.listener.noticed(sentence);
  }

  /** Whoever decided has gone. Somebody who was with it until now carries on all that it did. */
  #lost(): void {
    if (this.#role.kind !== 'following') return;
    this.#carriesOn = 'all';
    this.#seek();
  }

  #fail(error: unknown): void {
    if (this.#role.kind !== 'seeking') return;
    this.#waiting?.reject(error);
    const watching = this.#parts.store.watch(() => this.#catchUp());
    this.#role = { kind: 'looking', watching };
    // It is tried again and again: the same is said once.
    if (String(error) !== this.#saidFailure) this.#options.listener.faulted(error);
    if (!this.#hasToDecide) return;
    this.#saidFailure = String(error);
    this.#parts.alarm.after(RETRY_MS, () => this.#takeUp());
  }

  /** Looking on is not enough any more. */
  #takeUp(): void {
    if (this.#role.kind !== 'looking') return;
    this.#role.watching[Symbol.dispose]();
    this.#seek();
  }

  #catchUp(entries?: readonly LedgerEntry[]): void {
    if (this.#role.kind === 'deciding' || this.#role.kind === 'closed') return;
    try {
      const fresh = this.#follower.catchUp(entries);
      this.#tell(fresh);
      // What was there when the board was first looked at is news too.
      if (this.#follower.revision > this.#toldUpTo) this.#tell(this.#newsAfter(this.#toldUpTo));
    } catch (error) {
      this.#options.listener.faulted(error);
    }
  }

  /** Each entry is told once and in order, whoever decides meanwhile. */
  #tell(entries: readonly LedgerEntry[]): void {
    const upTo = this.#toldUpTo;
    const next = entries.filter(({ sequence }) => sequence > upTo);
    const [first, last] = [next[0], next.at(-1)];
    if (first === undefined || last === undefined) return;
    const missed = first.sequence - upTo - 1;
    this.#toldUpTo = last.sequence;
    const before = missed > 0 ? this.#newsAfter(upTo, missed) : [];
    this.#options.listener.changed(before.length > 0 ? [...before, ...next] : next);
  }

  #newsAfter(sequence: number, limit = Number.MAX_SAFE_INTEGER): readonly LedgerEntry[] {
    return this.#parts.store.events(sequence, limit);
  }
}

/** Whoever decides must not write any more, or must look at the file again first. */
function endsTenure(error: unknown): boolean {
  return isFailedDisk(error) || (error instanceof StoreError && error.reason === 'newer');
}

function isFailedDisk(error: unknown): boolean {
  return error instanceof StoreError && error.reason === 'disk';
}

function lostSentence(holder: string): string {
  return (
    `${holder} decides for this board and cannot be reached: the file "token" that leads to it is missing or was changed ` +
    '("interlock where" says where it is). It is looked for again and again; put the file back, or end that process.'
  );
}

/** It is read in this process and in others. */
function haltSentence(name: string, error: unknown): string {
  const what = inShort(displayText(String(error)));
  return (
    `Interlock found a mistake of its own in deciding (${what}): ${name} starts and ends nothing more, and what runs goes on. ` +
    'End that process and run again; please report it with what "interlock export" writes.'
  );
}

/** Nobody here takes part in the board any more. */
export class BoardClosed extends Error {
  constructor() {
    super('The board was closed.');
    this.name = 'BoardClosed';
  }
}
