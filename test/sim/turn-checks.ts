import type { Engine } from '../../server/engine/engine.ts';
import type { LedgerEntry, Store } from '../../server/engine/store-port.ts';
import { decide } from '../../server/scheduler/decide.ts';
import { keyOf } from '../../server/scheduler/decision.ts';
import { boardOf, parseFacts } from '../../server/scheduler/model/board-facts.ts';
import { BoardModel } from '../../server/scheduler/model/board-model.ts';
import { nextDueAt } from '../../server/scheduler/model/next-due.ts';
import { compareBoards } from './board-dump.ts';
import type { Ledger } from './ledger.ts';
import type { Life } from './life.ts';
import type { Physical } from './physical.ts';
import type { Shadow } from './shadow.ts';
import type { SimRunner } from './sim-runner.ts';
import type { SimClock } from './sim-time.ts';
import type { World } from './world.ts';

export const RULES = { foldCase: false };

/** Whoever decides now, as far as its turns are looked at. */
export interface Deciding {
  readonly life: Life;
  readonly engine: Engine;
  readonly runner: SimRunner;
}

interface Parts {
  readonly world: World;
  readonly clock: SimClock;
  readonly ledger: Ledger;
  readonly shadow: Shadow;
  readonly physical: Physical;
  readonly openStore: () => Store;
}

/** The longest wait before it tries again, and before it looks again, with time for its alarms. */
const RETRY_MS = 6000;
const LOOK_MS = 6000;
const ALARM_MS = 1000;
const STARTED_MS = 6000;
const STUCK_MS = 15_000;
/** At each of so many opportunities one look is taken. */
const SAMPLE = 4;

/** What must be so after each turn of the engine, and between two of them. */
export class TurnChecks {
  readonly #parts: Parts;
  #looks = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Once a turn is written nothing is left to be decided, and the board says when something will be. */
  committed({ life, engine, runner }: Deciding, entries: readonly LedgerEntry[]): void {
    const { world, ledger, clock } = this.#parts;
    const { checks } = world;
    this.#checkTold(life, entries);
    for (const { event } of entries)
      if (event.kind === 'taskMoved' && event.event.kind === 'stopAsked')
        runner.asked(event.event.term);
    runner.checkSignals();
    if (!life.hasBegun || life.calmSince > world.now) return;
    const { board, revision } = engine;
    const last = ledger.entries.length;
    checks.holds('I11', revision === last, () => `${revision} is not ${last}`);
    if (!this.#isLooking()) return;
    const now = board.timeAt(clock.now());
    const due = nextDueAt(board);
    checks.holds('alarm', due === undefined || due > now, () => `${due} is due at ${now}`);
    const left = decide(board, now);
    checks.holds('settled', left.length === 0, () => left.map((it) => keyOf(it)).join());
  }

  /** Something comes in. Nothing may have become due earlier than the board said it would. */
  reached({ life, runner, engine: { board } }: Deciding): void {
    life.checkAnswers();
    this.#checkWake(life, board);
    this.#checkCommands(life);
    if (life.hasBegun && !life.isFailing) runner.checkHosts();
    if (!life.hasBegun || life.isFailing || life.turnsDue > 0) return;
    if (!this.#isLooking()) return;
    const due = nextDueAt(board);
    const now = board.timeAt(this.#parts.clock.now());
    if (due !== undefined && now >= due) return;
    // A start that is kept for somebody may be given away when a holder is late; its end comes anyway.
    const { claims } = board;
    const isKept = claims.pushed.size + claims.pulled.size > 0;
    const late = decide(board, now).filter(({ kind }) => kind !== 'claim' || !isKept);
    this.#parts.world.checks.holds(
      'punctual',
      late.length === 0,
      () => `${late.map((it) => keyOf(it)).join()} is due before ${due}, at ${now}`,
    );
  }

  /** It tries again where the disk has failed, and looks after what it runs. */
  #checkWake(life: Life, board: BoardModel): void {
    const { world, ledger } = this.#parts;
    if (!life.hasBegun) return;
    const sinceMs = world.now - life.triedAt;
    const isCalm = life.calmSince <= life.triedAt;
    const isForgotten = sinceMs > (life.isFailing ? RETRY_MS : LOOK_MS) && isCalm;
    const isBusy = life.isFailing || board.claims.pushed.size > 0;
    const why = (): string => `nobody has looked for ${sinceMs} ms`;
    world.checks.holds('awake', !isForgotten || !isBusy, why);
    if (life.isFailing) return;
    const lateMs = board.timeAt(this.#parts.clock.now()) - (nextDueAt(board) ?? Infinity);
    const isWoken = lateMs < ALARM_MS || !isCalm;
    world.checks.holds('alarm', isWoken, () => `what was due ${lateMs} ms ago is not done`);
    const [told, last] = [life.toldUntil, ledger.entries.length];
    world.checks.holds('told', told === last, () => `${told} is told last, and not ${last}`);
  }

  /** Of each command it is written that it runs, and that it says nothing for too long. */
  #checkCommands(life: Life): void {
    const { world, shadow, physical } = this.#parts;
    if (!life.hasBegun || life.isFailing) return;
    for (const { work, holder } of shadow.facts.holders()) {
      const known = holder === undefined ? undefined : physical.known.get(holder.term);
      if (holder === undefined || known === undefined || life.calmSince > known) continue;
      const { term, startedAt, isFlagged } = holder;
      if (physical.ordered.has(term)) continue;
      const isWritten = startedAt !== undefined || world.now - known < STARTED_MS;
      world.checks.holds('started', isWritten, () => `term ${term} runs, and nobody says so`);
      const stuckAfterMs = work.definition.asks?.stuckAfterMs;
      const quietSince = Math.max(physical.hung.get(term) ?? Infinity, known);
      if (stuckAfterMs === undefined || startedAt === undefined) continue;
      const isQuiet = world.now - quietSince > stuckAfterMs + STUCK_MS;
      world.checks.holds('stuck', isFlagged || !isQuiet, () => `term ${term}, nobody says so`);
    }
  }

  /** Whoever reads all there ever was has the same board. */
  refold(board: BoardModel): void {
    const refolded = new BoardModel(RULES);
    for (const { event } of this.#parts.ledger.entries) refolded.apply(event);
    const { checks } = this.#parts.world;
    checks.look('I11');
    const difference = compareBoards(refolded, board);
    if (difference !== undefined) checks.fail('I11', `refolded:\n${difference}`);
  }

  /** And so has whoever reads what the store has kept. */
  disk(): void {
    const { base, entries } = this.#parts.openStore().snapshot();
    const facts = base === undefined ? undefined : parseFacts(base);
    const board = facts === undefined ? new BoardModel(RULES) : boardOf(facts, RULES);
    for (const { event } of entries) board.apply(event);
    this.refold(board);
  }

  #isLooking(): boolean {
    this.#looks += 1;
    return this.#looks % SAMPLE === 0;
  }

  /** Each entry that has reached the disk is told once and in order. */
  #checkTold(life: Life, entries: readonly LedgerEntry[]): void {
    const { world, ledger } = this.#parts;
    for (const { sequence, event } of entries) {
      const isNext = sequence === life.toldUntil + 1;
      const isWritten = ledger.entries[sequence - 1]?.event === event;
      const why = (): string => `${event.kind} ${sequence} is told after ${life.toldUntil}`;
      world.checks.holds('told', isNext && isWritten, why);
      life.toldUntil = sequence;
    }
    const last = ledger.entries.length;
    const isAll = life.toldUntil === last;
    world.checks.holds('told', isAll, () => `${life.toldUntil} is told last, and not ${last}`);
  }
}
