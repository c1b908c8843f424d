import { assert } from '../domain/assert.ts';
import type { RunId } from '../domain/ids.ts';
import type { PathRules } from '../domain/paths/overlap.ts';
import { type Instant, laterBy, NEVER } from '../domain/time.ts';
import { decide, decideTurn } from '../scheduler/decide.ts';
import type { BoardModel, Permission } from '../scheduler/model/board-model.ts';
import { nextDueAt } from '../scheduler/model/next-due.ts';
import type { ShellCommand, ShellCommands } from '../scheduler/observation/shell-commands.ts';
import type { Turn } from '../scheduler/predicate/turn.ts';
import { beginTenure, type TenureOptions } from './begin-tenure.ts';
import { Commands } from './commands.ts';
import { Hosts } from './hosts.ts';
import { BoardWriter } from './board-writer.ts';
import { Observer } from './observer.ts';
import type {
  Alarm,
  Clock,
  CommandEnd,
  Listener,
  Runner,
  RunnerNews,
  SeenPlace,
  StartAnswer,
} from './ports.ts';
import type { CommittedDecision, Store } from './store-port.ts';
import { deposed, kept, type Step } from './step.ts';
import { isLoss, StoreError } from './store-error.ts';
import { SignsOfLife } from './signs-of-life.ts';
import type { TreeWatch } from './tree-watch.ts';

export interface Ports {
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly store: Store;
  readonly runner: Runner;
  readonly listener: Listener;
  /** Absent: nobody looks at what tasks write. */
  readonly watch?: TreeWatch;
}

/** How often what runs is looked after. Nothing depends on it that an event could tell. */
const LOOK_MS = 5000;
/** Whoever has not been able to write for this long has slept, or its disk has. */
const SLEPT_MS = 3 * LOOK_MS;
/** An alarm that comes later than this comes to a process that was held up. */
const HELD_UP_MS = 200;
/** A start is written down with whatever is written next, or after this. */
const UNHURRIED_MS = 20;
const RETRY_MS = { first: 100, most: 5000 } as const;
/** Reading a longer ledger at the next start would take longer than it has to. */
const LEDGER_LIMIT = 10_000;

/**
 * The loop: what has come in, decide, commit, act. It runs while this process has the board's lock.
 *
 * Everything that comes in at about the same time is written together, and so is what is decided
 * because of it; answers and effects come after that.
 *
 * Invariant: nothing is answered and nothing is done before the ledger has it.
 */
export class Engine implements RunnerNews {
  readonly #ports: Ports;
  readonly #writer: BoardWriter;
  readonly #commands: Commands;
  readonly #hosts: Hosts;
  readonly #observer: Observer | undefined;
  readonly life: SignsOfLife;
  readonly #tenure: number;
  #inbox: Step[] = [];
  #state: 'new' | 'finding' | 'deciding' | 'ended' = 'new';
  /** A mistake of ours in deciding: nothing more is decided, and whatever else can go on does. */
  #isAtFault = false;
  /** It has ended without a word, as nothing may be written any more. */
  #isLost = false;
  #isTurnDue = false;
  #failures = 0;
  #seenAt: Instant;
  #due: Disposable | undefined;
  /** When this process is to be awake next. */
  #awakeAt: Instant | undefined;
  #look: Disposable | undefined;
  #unhurried: Disposable | undefined;

  constructor(ports: Ports, { rules }: { readonly rules: PathRules }) {
    this.#ports = ports;
    this.#tenure = ports.store.beginTenure();
    this.#writer = new BoardWriter({ ...ports, rules });
    this.#seenAt = this.#writer.now();
    const [writer, tell] = [this.#writer, this.#tell.bind(this)];
    const { runner } = ports;
    this.#commands = new Commands({ writer, runner, tell });
    const onNews = (): void => this.#commands.lookAgain();
    this.#hosts = new Hosts({ writer, runner, tell, onNews });
    const { watch, alarm, listener } = ports;
    const noticed = (sentence: string): void => listener.noticed(sentence);
    const life = new SignsOfLife({ writer, tell });
    this.life = life;
    this.#observer = watch && new Observer({ writer, watch, alarm, rules, tell, noticed, life });
  }

  get board(): BoardModel {
    return this.#writer.board;
  }

  get revision(): number {
    return this.#writer.revision;
  }

  get writer(): BoardWriter {
    return this.#writer;
  }

  /** From now on this process decides. First it finds what became of the commands of the last one. */
  async begin(options: TenureOptions): Promise<void> {
    assert(this.#state === 'new', 'an engine begins once');
    this.#state = 'finding';
    const lastAt = this.board.now;
    this.#observer?.begin(lastAt);
    const beganAt = this.#writer.now();
    const notice = this.#writer.together(() =>
      beginTenure(this.#writer, { ...options, tenure: this.#tenure }),
    );
    if (this.#wasTakenOver(beganAt)) {
      this.#lose(deposed(), []);
      return;
    }
    if (notice !== undefined) this.#ports.listener.noticed(notice);
    this.#hosts.begin();
    const sights = await this.#commands.find();
    if (this.#hasEnded()) return;
    this.#inbox.unshift(
      kept(() => {
        const then = this.#commands.takeOver(sights);
        this.#commands.confirmLeases(lastAt);
        this.#hosts.forgetOthers();
        return then;
      }),
    );
    this.#state = 'deciding';
    this.#turn();
  }

  /** Performs a request in the next turn; what it wrote is on the disk when it is answered. */
  async ask<T>(perform: () => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.take(perform, resolve, reject);
    return await promise;
  }

  take<T>(perform: () => T, answer: (value: T) => void, refuse: (error: unknown) => void): void {
    if (this.#hasEnded()) {
      refuse(deposed());
      return;
    }
    const then = (value: T) => () => answer(value);
    this.#inbox.push({ perform: () => then(perform()), refuse });
    this.#turnSoon();
  }

  started(term: number, result: StartAnswer): void {
    this.#commands.started(term, result);
  }

  ended(term: number, end: CommandEnd): void {
    this.#commands.ended(term, end);
  }

  outOfSight(term: number): void {
    this.#commands.outOfSight(term);
  }

  placeSeen(place: SeenPlace): void {
    this.#hosts.seen(place);
  }

  placeGone(name: string): void {
    this.#hosts.gone(name);
  }

  /** What a view says of tasks that wait. */
  outlook(): Turn {
    return decideTurn(this.board, this.#writer.now());
  }

  /** What tasks have written until now is in the ledger when this process ends. */
  async observed(): Promise<void> {
    if (!this.#hasEnded()) await this.#observer?.settle();
  }

  /** What is known of shell commands; undefined where nothing is watched. */
  get shells(): ShellCommands | undefined {
    return this.#observer?.shells;
  }

  shellBegun(command: ShellCommand): void {
    this.#observer?.shellBegun(command);
  }

  /** Done when all that it has written is known, or soon after. */
  async shellEnded(command: ShellCommand): Promise<void> {
    if (!this.#hasEnded()) await this.#observer?.shellEnded(command);
  }

  /** Lets go of everything; commands go on, and whoever decides next finds them. */
  end(): void {
    if (this.#hasEnded()) return;
    this.#state = 'ended';
    for (const each of [this.#due, this.#look, this.#unhurried]) each?.[Symbol.dispose]();
    this.#observer?.[Symbol.dispose]();
    const left = this.#inbox;
    this.#inbox = [];
    try {
      if (!this.#isLost) this.#leave(left);
    } catch (error) {
      // Whoever comes next finds the ends of commands again.
      if (!isLoss(error)) this.#ports.listener.faulted(error);
    }
    for (const { refuse } of left) refuse?.(deposed());
    // What another process did not find is not on the board: whoever shows it reads it from the store.
    if (!this.#isLost) this.#ports.listener.committed(this.#writer.take());
    this.#ports.runner.close();
  }

  #leave(left: readonly Step[]): void {
    const saidAt = this.#writer.now();
    const forgotten = this.#sayLast(left);
    if (this.#wasTakenOver(saidAt)) return;
    // An end that is told while commands are looked for is found again by whoever comes next.
    if (!this.#commands.isFinding) this.#ports.runner.settled();
    this.#ports.runner.dropOutput(forgotten);
  }

  #sayLast(left: readonly Step[]): readonly RunId[] {
    return this.#writer.together(() => {
      for (const { perform, refuse } of left) if (refuse === undefined) perform();
      const at = this.#writer.now();
      this.#writer.record([{ kind: 'permissionChanged', at, permission: 'shutting-down' }]);
      return this.#writer.sinceBase > LEDGER_LIMIT / 10 ? this.#writer.rebase() : [];
    });
  }

  async permit(permission: Permission): Promise<void> {
    await this.ask(() => {
      if (this.board.permission === permission) return;
      this.#writer.record([{ kind: 'permissionChanged', at: this.#writer.now(), permission }]);
    });
  }

  #hasEnded(): boolean {
    return this.#state === 'ended';
  }

  #tell(write: () => (() => void) | undefined, isUrgent: boolean): void {
    if (this.#hasEnded()) return;
    this.#inbox.push(kept(write));
    if (isUrgent) this.#turnSoon();
    else
      this.#unhurried ??= this.#ports.alarm.after(UNHURRIED_MS, () => {
        this.#unhurried = undefined;
        this.#turn();
      });
  }

  #turnSoon(): void {
    if (this.#isTurnDue) return;
    this.#isTurnDue = true;
    this.#ports.alarm.soon(() => {
      this.#isTurnDue = false;
      this.#turn();
    });
  }

  #turn(): void {
    if (this.#state !== 'deciding') return;
    const steps = this.#inbox;
    this.#inbox = [];
    const after: (() => void)[] = [];
    const committed: CommittedDecision[] = [];
    const progress: { step?: Step | undefined } = {};
    let seenAt = this.#seenAt;
    try {
      this.#writer.together(() => {
        this.#confirmAfterSleep();
        seenAt = this.#writer.now();
        for (const step of steps) {
          progress.step = step;
          const then = step.perform();
          if (then !== undefined) after.push(then);
        }
        progress.step = undefined;
        if (!this.#isAtFault) this.#decide(committed);
      });
    } catch (error) {
      this.#undone(error, { steps, culprit: progress.step });
      return;
    }
    if (this.#wasTakenOver(seenAt)) {
      this.#lose(deposed(), steps);
      return;
    }
    this.#failures = 0;
    // What happened after that, such as a sleep while the disk wrote, this turn has not seen.
    this.#seenAt = seenAt;
    // An end that is told while commands are looked for is written in a later turn.
    const isSettled = this.#inbox.length === 0 && !this.#commands.isFinding;
    if (isSettled) this.#guard(() => this.#ports.runner.settled());
    const fresh = this.#writer.take();
    this.#guard(() => this.#ports.listener.committed(fresh));
    for (const then of after) this.#guard(then);
    for (const each of committed) this.#guard(() => this.#act(each));
    for (const entry of fresh) this.#guard(() => this.#commands.heed(entry));
    this.#guard(() => this.#observer?.heed(fresh));
    this.#guard(() => this.#hosts.tellWanted());
    this.#setAlarms();
  }

  /**
   * A process that was stopped between a commit and what follows from it may have been taken over: then
   * the next one has found what was written, and acts on it. This one must not, so it asks which tenure
   * is the latest. A commit alone seldom takes as long as that, and nothing is asked after a quick one.
   */
  #wasTakenOver(writtenAt: Instant): boolean {
    if (this.#writer.now() - writtenAt <= HELD_UP_MS) return false;
    try {
      return !this.#ports.store.isLatest();
    } catch {
      // If it cannot be read, another process may decide, and acts on what was written.
      return true;
    }
  }

  /** One effect that fails keeps none of the others from happening. */
  #guard(effect: () => void): void {
    try {
      effect();
    } catch (error) {
      this.#ports.listener.faulted(error);
    }
  }

  /** Decides until there is nothing left to decide. */
  #decide(committed: CommittedDecision[]): void {
    for (;;) {
      const now = this.#writer.now();
      this.#commands.keepOwn(now);
      const decisions = decide(this.board, now);
      if (decisions.length === 0) return;
      const standing = this.#writer.commit(decisions);
      assert(standing.length > 0, 'a turn that decides something also commits something');
      committed.push(...standing);
    }
  }

  #act(committed: CommittedDecision): void {
    const { decision } = committed;
    if (decision.kind === 'wake')
      this.#ports.listener.woken(decision.worker, { run: decision.run, task: decision.task });
    else this.#commands.act(committed);
  }

  #confirmAfterSleep(): void {
    if (!this.#commands.isBusy) return;
    const [lastAt, now] = [this.#seenAt, this.#writer.now()];
    if (now - lastAt > SLEPT_MS) this.#commands.confirmLeases(lastAt);
    else if (this.#isLate) this.#commands.confirmEnded(lastAt, laterBy(now, HELD_UP_MS));
  }

  get #isLate(): boolean {
    return this.#awakeAt !== undefined && this.#writer.now() - this.#awakeAt > HELD_UP_MS;
  }

  /** Nothing of the turn has happened. What must not be lost comes again, the rest is refused. */
  #undone(
    error: unknown,
    { steps, culprit }: { steps: readonly Step[]; culprit: Step | undefined },
  ): void {
    if (isLoss(error)) {
      this.#lose(error, steps);
      return;
    }
    const isWorld = error instanceof StoreError;
    const isRefused = ({ refuse }: Step): boolean => isWorld && refuse !== undefined;
    this.#inbox.unshift(...steps.filter((step) => step !== culprit && !isRefused(step)));
    for (const step of steps) if (step === culprit || isRefused(step)) step.refuse?.(error);
    if (culprit !== undefined && culprit.refuse === undefined && isWorld)
      this.#inbox.unshift(culprit);
    if (!isWorld) {
      const halts = culprit === undefined && !this.#isAtFault;
      this.#isAtFault ||= halts;
      if (halts) this.#ports.listener.halted(error);
      else if (culprit?.refuse === undefined) this.#ports.listener.faulted(error);
      this.#turnSoon();
      return;
    }
    if (this.#failures === 0) this.#ports.listener.faulted(error);
    const delayMs = Math.min(RETRY_MS.first * 2 ** this.#failures, RETRY_MS.most);
    this.#failures += 1;
    this.#due?.[Symbol.dispose]();
    this.#due = this.#ports.alarm.after(delayMs, () => this.#turn());
  }

  /** Whoever asked may ask the one who decides now; what was to be written, that one finds. */
  #lose(error: StoreError, steps: readonly Step[]): void {
    this.#isLost = true;
    this.#inbox.unshift(...steps);
    this.end();
    this.#ports.listener.lost(error);
  }

  #setAlarms(): void {
    this.#due?.[Symbol.dispose]();
    this.#due = undefined;
    this.#awakeAt = undefined;
    const dueAt = this.#isAtFault ? undefined : nextDueAt(this.board);
    if (dueAt !== undefined) this.#wakeFor(dueAt);
    if (this.#commands.isBusy)
      this.#look ??= this.#ports.alarm.after(LOOK_MS, () => {
        this.#look = undefined;
        this.#lookAfter();
      });
  }

  /** More often as a lease comes to its end: whoever is held up until after it wakes late, and notices. */
  #wakeFor(dueAt: Instant): void {
    const now = this.#writer.now();
    const endsAt = this.board.claims.leases.peek()?.holder.expiresAt ?? NEVER;
    const leftMs = Math.max(1, dueAt - now);
    const delayMs = Math.min(leftMs, Math.max(HELD_UP_MS, Math.ceil((endsAt - now) / 2)));
    this.#awakeAt = laterBy(now, delayMs);
    this.#due = this.#ports.alarm.after(delayMs, () => {
      if (delayMs === leftMs || this.#isLate) this.#turn();
      else this.#wakeFor(dueAt);
    });
  }

  #lookAfter(): void {
    this.#tell(() => {
      const then = this.#commands.lookAfter();
      this.life.look(this.#writer.now());
      const forgotten = this.#writer.sinceBase > LEDGER_LIMIT ? this.#writer.rebase() : [];
      return () => {
        then();
        this.#ports.runner.dropOutput(forgotten);
      };
    }, true);
  }
}
