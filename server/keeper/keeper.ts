import { assert } from '../domain/assert.ts';
import type { RunId, TaskId, WorkerId } from '../domain/ids.ts';
import type { PathRules } from '../domain/paths/overlap.ts';
import { decideTurn } from '../scheduler/decide.ts';
import type { BoardModel, Permission } from '../scheduler/model/board-model.ts';
import type { Turn } from '../scheduler/predicate/turn.ts';
import type { TenureOptions } from '../engine/begin-tenure.ts';
import type { BoardCalls } from '../engine/board-calls.ts';
import type { BoardLock, LockSight } from '../engine/ports.ts';
import type { LedgerEntry } from '../engine/store-port.ts';
import { isFailedDisk, isLoss, StoreError } from '../engine/store-error.ts';
import { Deciding, type DecidingListener, type DecidingParts } from './deciding.ts';
import { Follower } from './follower.ts';
import { HolderWatch } from './holder-watch.ts';
import type { BoardLink, ConnectResult, DecidingRank, LinkListener } from './links.ts';
import { News } from './news.ts';
import { RoutedCalls } from './routed-calls.ts';
import { Search } from './search.ts';

export interface KeeperParts extends DecidingParts {
  readonly lock: BoardLock;
  /** Calls back before this process is suspended by its terminal. Absent: it is not known to be. */
  readonly beforeSuspend?: (handOver: () => Promise<void>) => Disposable;
}

export interface KeeperOptions {
  readonly rules: PathRules;
  readonly name: string;
  readonly permission: Permission;
  readonly carriesOn: TenureOptions['carriesOn'];
  readonly rank?: DecidingRank;
  readonly listener: KeeperListener;
}

/** Whoever shows the board. */
interface KeeperListener {
  /** These are on the disk now; the board has seen them. */
  changed(entries: readonly LedgerEntry[]): void;
  woken?(worker: WorkerId, task: { readonly run: RunId; readonly task: TaskId }): void;
  /** Something the user should know; the sentence is complete. */
  noticed(sentence: string): void;
  /** The process that decides does not answer; the sentence is complete. */
  waiting?(sentence: string): void;
  faulted(error: unknown): void;
  /** Whoever decides starts and ends nothing more, though it is there; the sentence is complete. */
  halted(sentence: string): void;
}

type Role =
  /** It has been asked for nothing yet: it only reads. */
  | { readonly kind: 'looking'; readonly watching: Disposable }
  | { readonly kind: 'seeking' }
  | { readonly kind: 'following'; readonly link: BoardLink }
  | { readonly kind: 'deciding'; readonly deciding: Deciding }
  | { readonly kind: 'closed' };

const SEEK_MS = { first: 5, most: 200 } as const;
/** For how long a store that fails is tried again before anybody is told. */
const PATIENCE_MS = 3000;
/** And how long it is left alone then, where somebody has to decide. */
const RETRY_MS = 5000;
/** Whoever asked to decide takes the lock in this time, or does not want it any more. */
const YIELD_MS = 500;
/** A process that decides, does not listen and shows no sign of life for so long was stopped. */
const SILENT_MS = 3000;
/** For so long a process that decides last leaves a board that has become free to others. */
const DEFERENCE_MS = 400;

/**
 * A process's part in a board. One of all that take part decides, by the lock that the system frees
 * when its holder dies; the others ask it, and one of them follows when it goes.
 *
 *     looking ──asked──▶ seeking ──lock──▶ deciding
 *                         ▲   └──socket──▶ following ──it has gone, or is silent──┐
 *                         └────────────────────────────────────────────────────────┘
 *
 * One that is stopped and not dead is silent: it keeps its lock, and another process takes the board from
 * it by a lock of the next generation and a later tenure. See decision 31.
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
  readonly #search: Search;
  readonly #news: News;
  /** Commands of this process go on, and nobody may be there who looks after them. */
  #hasToDecide = false;
  #saidFailure: string | undefined;
  /** While this process takes part and does not decide. */
  #watch: HolderWatch | undefined;
  /** The process that decides shows no sign of life. */
  #silent: LockSight | undefined;
  #interrupt = Promise.withResolvers<void>();
  /** Until then others are to decide, if there are any. */
  #defersUntil = 0;
  readonly #suspending: Disposable | undefined;

  constructor(parts: KeeperParts, options: KeeperOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#permission = options.permission;
    this.#carriesOn = options.carriesOn;
    this.#search = new Search({
      say: (sentence) => options.listener.noticed(sentence),
      waits: (sentence) => options.listener.waiting?.(sentence),
    });
    this.#news = new News(parts.store, (entries) => options.listener.changed(entries));
    const [{ alarm }, { present }] = [parts, parts.links];
    this.calls = new RoutedCalls(async () => this.#route(), { alarm, present });
    const watching = parts.store.watch(() => this.#catchUp());
    this.#role = { kind: 'looking', watching };
    this.#suspending = parts.beforeSuspend?.(async () => await this.#handOver());
  }

  /** All that has happened, as far as this process knows. */
  get board(): BoardModel {
    return this.#role.kind === 'deciding' ? this.#role.deciding.engine.board : this.#follower.board;
  }

  /** Read when somebody looks: whoever decides at once has read the board already. */
  get #follower(): Follower {
    this.#followed ??= new Follower(this.#parts.store, this.#options.rules);
    return this.#followed;
  }

  get isDeciding(): boolean {
    return this.#role.kind === 'deciding';
  }

  /** Whether it decides and was not taken over while it was stopped: to be asked before it acts on files. */
  get mayAct(): boolean {
    return this.#role.kind === 'deciding' && this.#role.deciding.isCurrent;
  }

  /** How it presents itself to others. */
  get name(): string {
    return this.#options.name;
  }

  /** Another one whenever somebody else is followed; nothing while nobody is. */
  get followed(): object | undefined {
    return this.#role.kind === 'following' ? this.#role.link : undefined;
  }

  /** What a view says of tasks that wait. */
  outlook(): Turn {
    if (this.#role.kind === 'deciding') return this.#role.deciding.engine.outlook();
    return decideTurn(this.board, this.board.timeAt(this.#parts.clock.now()));
  }

  /** Takes part from now on: as the one who decides, or as one who asks it. */
  async takePart(): Promise<void> {
    await this.#route();
  }

  async permit(permission: Permission): Promise<void> {
    this.#permission = permission;
    if (this.#role.kind === 'deciding') await this.#role.deciding.engine.permit(permission);
  }

  /** Lets go of the board. Commands go on, and whoever decides next finds them. */
  async close(): Promise<void> {
    const role = this.#role;
    this.#role = { kind: 'closed' };
    this.#suspending?.[Symbol.dispose]();
    this.#stopWatching();
    this.#waiting?.reject(new BoardClosed());
    if (role.kind === 'looking') role.watching[Symbol.dispose]();
    if (role.kind === 'following') role.link.close();
    if (role.kind === 'deciding') await role.deciding.end();
  }

  async #route(): Promise<BoardCalls> {
    const role = this.#role;
    switch (role.kind) {
      case 'deciding':
        return role.deciding.calls;
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
    let patientUntil = clock.now() + PATIENCE_MS;
    this.#startWatching();
    for (let delayMs: number = SEEK_MS.first; this.#role.kind === 'seeking';) {
      try {
        if ((await this.#tryToDecide()) || (await this.#tryToFollow())) return;
        if (this.#silent !== undefined) continue;
      } catch (error) {
        const reason = error instanceof StoreError ? error.reason : undefined;
        // Another process decides now, which can be followed. This one may have been suspended for long.
        if (reason === 'deposed') patientUntil = clock.now() + PATIENCE_MS;
        // A user may only be copying the file.
        const isPassing = reason === 'world' || reason === 'disk' || reason === 'deposed';
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
    const silent = this.#silent;
    this.#silent = undefined;
    if (silent === undefined && this.#parts.clock.now() < this.#defersUntil) return false;
    const { lock: boardLock, links } = this.#parts;
    const result = silent === undefined ? boardLock.acquire() : boardLock.takeOver(silent);
    if (result.kind === 'held') {
      this.#search.lockHeldBy(result.holder);
      return false;
    }
    const { lock } = result;
    if (silent !== undefined) links.cutOff();
    const { name, rules } = this.#options;
    let deciding: Deciding | undefined;
    try {
      const listener = this.#decidingListener();
      deciding = new Deciding(this.#parts, { name, rules, lock, listener });
      const [permission, carriesOn] = [this.#permission, this.#carriesOn];
      await deciding.begin({ permission, carriesOn, isTakeover: silent !== undefined });
      await this.#decides(deciding);
      return true;
    } catch (error) {
      deciding?.abandon();
      lock[Symbol.dispose]();
      throw silent === undefined ? error : this.#search.stoppedInMidWrite(error);
    }
  }

  #decidingListener(): DecidingListener {
    const { listener } = this.#options;
    return {
      committed: (entries) => this.#news.tell(entries),
      woken: (worker, task) => listener.woken?.(worker, task),
      noticed: (sentence) => listener.noticed(sentence),
      faulted: (error) => listener.faulted(error),
      halted: (sentence) => listener.halted(sentence),
      yieldAsked: (deciding) => void this.#yield(deciding),
      failed: (deciding, failure) => void this.#beginAnew(deciding, failure),
    };
  }

  async #decides(deciding: Deciding): Promise<void> {
    // It may have been closed while it was finding its way.
    if (this.#role.kind !== 'seeking') {
      await deciding.end();
      return;
    }
    this.#found({ kind: 'deciding', deciding });
    // The one who decides has a board of its own, and need not have two.
    this.#followed = undefined;
    this.#waiting?.resolve(deciding.calls);
    // A tenure begins with no worker there.
    for (const worker of this.#parts.links.present.values())
      void deciding.calls.greet(worker).catch(unlessLost);
    this.#options.listener.changed([]);
  }

  /** A newer build asks to decide. Commands go on, and it finds them as whoever comes next does. */
  async #yield(asked: Deciding): Promise<void> {
    if (await this.#letOthersDecide(asked)) await this.#tryUntilFound();
  }

  /** This process is about to be suspended; it seeks again when it continues. */
  async #handOver(): Promise<void> {
    if (this.#role.kind !== 'deciding') return;
    if (await this.#letOthersDecide(this.#role.deciding)) void this.#tryUntilFound();
  }

  async #letOthersDecide(deciding: Deciding): Promise<boolean> {
    if (!(await this.#letGoOf(deciding))) return false;
    // Until another one decides it can be followed all the same.
    this.#defersUntil = this.#parts.clock.now() + YIELD_MS;
    return true;
  }

  /**
   * A disk that fails may have lost what it took: it is looked at again, as after a crash. A file
   * that a newer build has taken over is left to it, and a board that another process has to that one.
   */
  async #beginAnew(failed: Deciding, failure: unknown): Promise<void> {
    if (!(await this.#letGoOf(failed))) return;
    if (isGone(failure)) {
      this.#fail(failure);
      return;
    }
    this.#hasToDecide = isFailedDisk(failure);
    this.#saidFailure = String(failure);
    await this.#tryUntilFound();
  }

  /** Somebody is to decide next, and this process asks it or is it. `false`: it did not decide. */
  async #letGoOf(deciding: Deciding): Promise<boolean> {
    const role = this.#role;
    if (role.kind !== 'deciding' || role.deciding !== deciding) return false;
    this.#carriesOn = 'all';
    this.#role = { kind: 'seeking' };
    this.#followed = undefined;
    this.#wait();
    await deciding.end();
    return true;
  }

  async #tryToFollow(): Promise<boolean> {
    const since = this.#parts.clock.now();
    let [hasGone, isGivenUp] = [false, false];
    const listener: LinkListener = {
      told: (entries) => this.#catchUp(entries),
      woken: (worker, task) => this.#options.listener.woken?.(worker, task),
      halted: (sentence) => this.#options.listener.halted(sentence),
      gone: () => {
        hasGone = true;
        if (!isGivenUp) this.#lost();
      },
    };
    const connecting = this.#parts.links.connect(listener, this.#follower.revision);
    const result = await this.#unlessSilent(connecting);
    if (result === undefined) {
      isGivenUp = true;
      return false;
    }
    if (result.kind === 'absent' || hasGone) {
      const silentMs = this.#watch?.silentMs ?? 0;
      if (silentMs >= SILENT_MS) this.#search.silent(silentMs);
      this.#search.unanswered();
      return false;
    }
    if (result.kind === 'silent') {
      this.#search.silent(this.#parts.clock.now() - since);
      return false;
    }
    this.#search.answered();
    if (result.kind === 'refused') {
      this.#search.refused(result.message);
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

  /** A process that is stopped lets others connect, and does not answer. */
  async #unlessSilent(connecting: Promise<ConnectResult>): Promise<ConnectResult | undefined> {
    this.#interrupt = Promise.withResolvers();
    const silent = this.#interrupt.promise.then((): undefined => undefined);
    const result = await Promise.race([connecting, silent]);
    if (result === undefined)
      void connecting.then(
        (late) => (late.kind === 'connected' ? late.link.close() : undefined),
        () => {},
      );
    return result;
  }

  #startWatching(): void {
    const { lock, alarm, clock } = this.#parts;
    this.#watch ??= new HolderWatch({
      lock,
      alarm,
      clock,
      extraLooks: this.#options.rank === 'last' ? 1 : 0,
      onSilent: (sight) => this.#holderSilent(sight),
      onTakenOver: () => this.#leaveLink(),
    });
  }

  #stopWatching(): void {
    this.#watch?.[Symbol.dispose]();
    this.#watch = undefined;
  }

  #holderSilent(sight: LockSight): void {
    this.#silent = sight;
    this.#interrupt.resolve();
    this.#leaveLink();
  }

  /** It leads to a process that is stopped; what was asked of it is asked of the next one. */
  #leaveLink(): void {
    if (this.#role.kind !== 'following') return;
    const { link } = this.#role;
    this.#lost();
    link.close();
  }

  /** An agent's server leaves a board that has become free to others, if there are any. */
  #defer(): void {
    if (this.#options.rank === 'last') this.#defersUntil = this.#parts.clock.now() + DEFERENCE_MS;
  }

  #found(role: Role): void {
    this.#role = role;
    if (role.kind === 'deciding') this.#stopWatching();
    this.#search.over();
    this.#hasToDecide = false;
    this.#saidFailure = undefined;
  }

  /** Whoever decided has gone. Somebody who was with it until now carries on all that it did. */
  #lost(): void {
    if (this.#role.kind !== 'following') return;
    this.#carriesOn = 'all';
    this.#defer();
    this.#seek();
  }

  #fail(error: unknown): void {
    if (this.#role.kind !== 'seeking') return;
    this.#stopWatching();
    this.#waiting?.reject(error);
    const watching = this.#parts.store.watch(() => this.#catchUp());
    this.#role = { kind: 'looking', watching };
    // It is tried again and again: the same is said once.
    if (String(error) !== this.#saidFailure) this.#options.listener.faulted(error);
    if (this.#hasToDecide || isGone(error)) this.#saidFailure = String(error);
    if (!this.#hasToDecide) return;
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
      this.#news.tell(fresh);
      this.#news.tellUpTo(this.#follower.revision);
    } catch (error) {
      this.#options.listener.faulted(error);
    }
  }
}

/** The next one who decides hears of it. */
function unlessLost(error: unknown): void {
  if (!isLoss(error)) throw error;
}

/** No trying puts that right. */
function isGone(error: unknown): boolean {
  return error instanceof StoreError && error.reason === 'gone';
}

/** Nobody here takes part in the board any more. */
export class BoardClosed extends Error {
  constructor() {
    super('The board was closed.');
    this.name = 'BoardClosed';
  }
}
