import { type Instant, instant } from '../../server/domain/time.ts';
import type { BoardEvent } from '../../server/scheduler/model/board-event.ts';
import { BoardModel, type Permission } from '../../server/scheduler/model/board-model.ts';
import { decide } from '../../server/scheduler/decide.ts';
import { nextDueAt } from '../../server/scheduler/model/next-due.ts';
import { boardEventOf, type Decision, keyOf } from '../../server/scheduler/decision.ts';
import { differenceOf, dumpBoard } from './board-dump.ts';
import type { Also, Ledger } from './ledger.ts';
import { START_AT } from './plans.ts';
import type { World } from './world.ts';

/** What a coordinator does to the world once a decision is committed. */
export interface Effects {
  readonly act: (decision: Decision, event: BoardEvent) => void;
  /** Brings what it finds at its start in line with the ledger. */
  readonly recover: () => void;
}

const ROUND_LIMIT = 60;
const RULES = { foldCase: false };

/** The one process that decides: decide, commit, apply, act. It may die between any two of these. */
export class Coordinator {
  board = new BoardModel(RULES);
  isUp = true;
  permission: Permission = 'granted';
  /** Its board was compared with one that was read from the ledger. */
  hasRefolded = false;
  /** How far its clock has been set forward or back. */
  clockOffsetMs = 0;
  readonly #world: World;
  readonly #ledger: Ledger;
  #effects: Effects | undefined;
  #suspendedUntil = 0;
  #backlog: (() => void)[] = [];
  #alarm = 0;
  /** How far it is ahead of a clock that was set back. */
  #aheadMs = 0;
  #quietUntil = -1;
  /** How much of the ledger the board has seen. */
  #applied = 0;
  /** How often nothing was decided because nothing was due. */
  #skipped = 0;

  constructor(world: World, ledger: Ledger) {
    this.#world = world;
    this.#ledger = ledger;
  }

  use(effects: Effects): void {
    this.#effects = effects;
  }

  permit(permission: Permission): void {
    this.permission = permission;
    this.board.permission = permission;
    this.#quietUntil = -1;
    this.receive(() => {});
  }

  /** The clock of the board never goes back. */
  now(): Instant {
    const { now } = this.#world;
    const { now: said } = this.board;
    // Set back, it goes on from where it was: a clock that stands still lets nothing end.
    this.#aheadMs = Math.max(this.#aheadMs, said - (START_AT + now + this.clockOffsetMs));
    return instant(START_AT + now + this.clockOffsetMs + this.#aheadMs);
  }

  /** Something reaches the coordinator, if it is there. */
  receive(handle: () => void): void {
    if (!this.isUp) return;
    if (this.#world.now < this.#suspendedUntil) {
      this.#backlog.push(handle);
      return;
    }
    this.board.advanceTo(this.now());
    handle();
    if (!this.isUp) return;
    if (this.#quietUntil >= 0 && this.now() < this.#quietUntil) this.#checkPunctuality();
    else this.turn();
  }

  /** For a while it does nothing at all; everything that reaches it waits. */
  suspend(forMs: number): void {
    if (!this.isUp) return;
    this.#suspendedUntil = this.#world.now + forMs;
    this.#world.after(forMs, () => {
      const backlog = this.#backlog.splice(0);
      for (const handle of backlog) this.receive(handle);
      this.receive(() => {});
    });
  }

  crash(why: string): void {
    if (!this.isUp) return;
    this.#world.say(`crash ${why}`);
    this.isUp = false;
    this.#backlog.length = 0;
    const before = this.board;
    this.#world.after(this.#world.random.between(100, 20_000), () => this.#restart(before));
  }

  /** Writes what somebody said to the ledger, and to the board. */
  record(events: readonly BoardEvent[], also: Also = {}): boolean {
    if (events.length === 0) return true;
    const answer = this.#ledger.commit(events, also);
    if (answer === 'unclear') this.crash('commit unclear');
    if (answer !== 'done') return false;
    this.#apply(events);
    return true;
  }

  turn(): void {
    this.#quietUntil = -1;
    for (let round = 0; this.isUp; round += 1) {
      const now = this.now();
      const decisions = decide(this.board, now);
      if (decisions.length === 0) break;
      const what = decisions.map((decision) => keyOf(decision)).join(' ');
      this.#world.checks.holds(
        'quiet',
        round < ROUND_LIMIT,
        () => `${what} is decided again and again`,
      );
      this.#checkTurn(decisions);
      if (this.#world.faults.hits('crashBeforeCommit')) this.crash('before commit');
      if (!this.#carryOut(decisions, now)) return;
    }
    if (this.isUp) this.#setAlarm();
  }

  /** In one turn each worker is told of one task, and one thing becomes of each task. */
  #checkTurn(decisions: readonly Decision[]): void {
    const woken = decisions.flatMap((it) => (it.kind === 'wake' ? [it.worker] : []));
    const isOnce = new Set(woken).size === woken.length;
    this.#world.checks.holds('wake', isOnce, () => `${woken.join()}: somebody is told twice`);
    const moved = decisions.flatMap((it) => (MOVES.has(it.kind) ? [taskOf(it)] : []));
    const isClear = new Set(moved).size === moved.length;
    this.#world.checks.holds('once', isClear, () => `${moved.join()}: one is decided twice`);
  }

  /** Answers whether to go on deciding. */
  #carryOut(decisions: readonly Decision[], now: Instant): boolean {
    const { faults, random } = this.#world;
    const actsAtOnce = random.chance(0.5);
    const acts: (() => void)[] = [];
    let isWhole = true;
    for (const decision of decisions) {
      const event = this.isUp ? this.#commit(decision, now) : 'failed';
      isWhole = event !== 'failed';
      if (event === 'failed') break;
      if (event === undefined) continue;
      if (faults.hits('crashAfterCommit')) this.crash('after commit');
      acts.push(() => this.#effects?.act(decision, event));
      if (actsAtOnce && this.isUp) acts.pop()?.();
    }
    for (const act of acts) {
      if (faults.hits('crashBetweenActs')) this.crash('between acts');
      if (this.isUp) act();
    }
    if (!isWhole) this.#world.after(random.between(50, 2000), () => this.receive(() => {}));
    return isWhole && this.isUp;
  }

  #commit(decision: Decision, now: Instant): BoardEvent | 'failed' | undefined {
    const state =
      'task' in decision ? this.board.find(decision.run, decision.task)?.state : undefined;
    const event = boardEventOf(decision, state, { now, mintTerm: this.#ledger.mintTerm });
    if (event === undefined) return undefined;
    const answer = this.#ledger.commit([event], { key: keyOf(decision) });
    if (answer === 'repeated') return undefined;
    if (answer === 'unclear') this.crash('commit unclear');
    if (answer !== 'done') return 'failed';
    this.#apply([event]);
    return event;
  }

  #apply(events: readonly BoardEvent[]): void {
    for (const event of events) {
      const kind = this.board.apply(event);
      this.#applied += 1;
      this.#world.checks.holds(
        'applies',
        kind === 'moved' || isRepeatable(event),
        () => `${event.kind} is refused by the board`,
      );
    }
    this.#quietUntil = -1;
  }

  /** Nothing may become due earlier than the board said it would. */
  #checkPunctuality(): void {
    this.#skipped += 1;
    if (this.#skipped % 4 !== 0) return;
    // A start that is kept for somebody may be given away when a holder is late; its end comes anyway.
    const { claims } = this.board;
    const isKept = claims.pushed.size + claims.pulled.size > 0;
    const late = decide(this.board, this.now()).filter(({ kind }) => kind !== 'claim' || !isKept);
    this.#world.checks.holds(
      'punctual',
      late.length === 0,
      () =>
        `${late.map((it) => keyOf(it)).join()} is due before ${this.#quietUntil}, at ${this.now()}`,
    );
  }

  #setAlarm(): void {
    this.#alarm += 1;
    const alarm = this.#alarm;
    const due = nextDueAt(this.board);
    const now = this.now();
    this.#quietUntil = due ?? Number.MAX_SAFE_INTEGER;
    if (due === undefined) return;
    this.#world.checks.holds(
      'alarm',
      due > now,
      () => `${due} is due, and nothing is decided at ${now}; the board is at ${this.board.now}`,
    );
    this.#world.after(Math.max(1, due - now), () => {
      if (alarm === this.#alarm) this.receive(() => {});
    });
  }

  #restart(before: BoardModel): void {
    const isComplete = this.#applied === this.#ledger.events.length;
    this.board = this.refold();
    this.#applied = this.#ledger.events.length;
    this.isUp = true;
    this.#suspendedUntil = 0;
    this.#quietUntil = -1;
    this.#world.say('restart');
    if (isComplete) this.#compare(before, this.board);
    this.hasRefolded ||= isComplete;
    this.receive(() => this.#effects?.recover());
  }

  /** Whoever reads the ledger from the beginning has the same board. */
  refold(): BoardModel {
    const board = new BoardModel(RULES);
    for (const event of this.#ledger.events) board.apply(event);
    board.permission = this.permission;
    return board;
  }

  checkRefold(): void {
    if (this.isUp) this.#compare(this.board, this.refold());
  }

  #compare(before: BoardModel, fresh: BoardModel): void {
    const at = instant(Math.max(before.now, fresh.now));
    before.advanceTo(at);
    fresh.advanceTo(at);
    const [old, now] = [dumpBoard(before), dumpBoard(fresh)];
    this.#world.checks.holds('I11', old === now, () => `refolded:\n${differenceOf(old, now)}`);
  }
}

const MOVES: ReadonlySet<string> = new Set(['claim', 'skip', 'revive', 'cancel', 'expire']);

function taskOf(decision: Decision): string {
  return 'task' in decision ? `${decision.run}/${decision.task}` : '';
}

/** Whoever writes a file twice says so twice, and goodbyes may come late. */
function isRepeatable({ kind }: BoardEvent): boolean {
  return kind === 'undeclaredWritten' || kind === 'workerLeft';
}
