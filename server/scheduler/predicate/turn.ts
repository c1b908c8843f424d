import { type Breaker, callStarted } from '../../domain/failure/circuit-breaker.ts';
import type { WorkerId } from '../../domain/ids.ts';
import type { Budget } from '../../domain/paths/overlap.ts';
import type { LoadMode } from '../../domain/failure/load.ts';
import type { Credits } from '../../domain/priority.ts';
import { type Instant, laterBy } from '../../domain/time.ts';
import type { BoardModel } from '../model/board-model.ts';
import { about, type Choice, type Decision } from '../decision.ts';
import { intentOf } from '../model/owner-table.ts';
import { type Collision, type Intent, Ownership, TURN_STEPS } from '../model/ownership.ts';
import type { OutrankedBy } from '../model/reason.ts';
import { Reservations } from './reservations.ts';
import type { Lane, TaskEntry } from '../model/run-model.ts';
import { Usage, type Use } from './usage.ts';
import { type Agent, LOCAL, type Place, placeOf } from '../model/workers.ts';

/**
 * The board as it is once the decisions of this turn are carried out. The board itself does not
 * change before they are committed.
 */
export class Turn {
  readonly board: BoardModel;
  readonly now: Instant;
  readonly decisions: Decision[] = [];
  #reservations: Reservations | undefined;
  /** The load under which it decides. */
  mode: LoadMode;
  credits: Credits;
  /** How many tasks runners of ours have. */
  pushedCount: number;
  /** How many of them are on this machine. */
  countHere: number;
  /** The lowest class that is served under the load of now, once somebody has asked. */
  lowestServedRank: number | undefined;
  #claimed: Map<TaskEntry, Place> | undefined;
  #decided: Set<TaskEntry> | undefined;
  #breakers: Map<Place | Agent, Breaker> | undefined;
  #usage: Usage | undefined;
  #mostParallel: number | undefined;
  #opening: Opening | undefined;
  #owners: Ownership | undefined;
  /** Tasks that count as taken, because waiting agents were offered them. */
  readonly #promised: Use[] = [];
  /** What the predicate has worked out of offers, by who asked. */
  readonly offersAhead = new Map<WorkerId, OffersAhead>();

  /** What it may still take to compare globs; its copies share it. */
  readonly steps: Budget;

  constructor(board: BoardModel, now: Instant, steps: Budget = { stepsLeft: TURN_STEPS }) {
    this.steps = steps;
    this.board = board;
    this.now = now;
    this.mode = board.mode;
    this.credits = board.credits;
    this.pushedCount = board.claims.pushed.size;
    this.countHere = 0;
    for (const { holder } of board.claims.pushed)
      if (placeOf(holder.worker) === LOCAL) this.countHere += 1;
  }

  get reservations(): Reservations {
    this.#reservations ??= new Reservations(this);
    return this.#reservations;
  }

  /** Whether others wait until it has started. */
  isKept(entry: TaskEntry): boolean {
    return this.#reservations?.has(entry) === true;
  }

  /** Whose start `entry` would delay by starting now. */
  outranks(entry: TaskEntry, place: string | undefined): OutrankedBy | undefined {
    return this.#reservations?.outranks(entry, place);
  }

  get usage(): Usage {
    if (this.#usage === undefined) {
      this.#usage = new Usage(this.board);
      for (const [entry, place] of this.#claimed ?? []) this.#usage.add(useOf(entry, place));
      for (const use of this.#promised) this.#usage.add(use);
    }
    return this.#usage;
  }

  /** The most that any run lets be done on this machine at once. */
  get mostParallel(): number {
    if (this.#mostParallel === undefined) {
      this.#mostParallel = 0;
      for (const { manifest } of this.board.runs.values())
        if (manifest.policy.parallel > this.#mostParallel)
          this.#mostParallel = manifest.policy.parallel;
    }
    return this.#mostParallel;
  }

  /** Whether a runner, an agent or a person holds any task. */
  get isAnyHeld(): boolean {
    return this.pushedCount + this.board.claims.pulled.size + this.#promised.length > 0;
  }

  /** Where it is to start, if it was claimed in this turn. */
  claimedAt(entry: TaskEntry): Place | undefined {
    return this.#claimed?.get(entry);
  }

  /** Whether a task is to wait again, and others still take it to be at work or to have ended. */
  get takesBack(): boolean {
    return this.decisions.some(({ kind }) => kind === 'expire' || kind === 'revive');
  }

  /** Whether something was decided about a task already; then the rest waits for the next turn. */
  isDecided(entry: TaskEntry): boolean {
    return this.#decided?.has(entry) === true;
  }

  decide(entry: TaskEntry, choice: Choice): void {
    this.#decided ??= new Set();
    this.#decided.add(entry);
    this.decisions.push({ ...about(entry), ...choice });
  }

  /** Counts the calls of this turn: one that is tried again gets few trials. */
  breakerOf(callee: Place | Agent): Breaker {
    return this.#breakers?.get(callee) ?? callee.breaker;
  }

  /**
   * That only files and kept starts may still be in the way of a task, and so of all that ask for the
   * same; it holds until the next claim.
   */
  noteOpening({ lane, asks }: TaskEntry, place: Place | undefined): void {
    // Which of several hosts is best is another question for each task.
    if (lane !== undefined && asks.hosts.length === 0)
      this.#opening = { lane, place, claims: this.pushedCount };
  }

  openingFor({ lane }: TaskEntry): { readonly place: Place | undefined } | undefined {
    const opening = this.#opening;
    const isSame = lane !== undefined && opening?.lane === lane;
    return isSame && opening.claims === this.pushedCount ? opening : undefined;
  }

  /** A claim that is decided counts for the rest of the turn. */
  claim(entry: TaskEntry, place: Place): void {
    const use = useOf(entry, place);
    this.pushedCount += 1;
    if (place.name === LOCAL) this.countHere += 1;
    this.#countCalls(entry, place);
    this.#claimed ??= new Map();
    this.#claimed.set(entry, place);
    this.#usage?.add(use);
    this.#reservations?.use(use);
    this.#own(entry, place.runner);
  }

  /** Counts a task as taken that a waiting agent was offered. */
  promise(entry: TaskEntry, worker: WorkerId): void {
    const use = { entry, asks: entry.asks, place: LOCAL };
    this.#promised.push(use);
    this.#usage?.add(use);
    this.#reservations?.use(use);
    this.#own(entry, worker);
  }

  /** The same turn with its claims and kept starts, to promise something in. */
  copy(): Turn {
    const turn = new Turn(this.board, this.now, this.steps);
    turn.mode = this.mode;
    for (const [entry, place] of this.#claimed ?? []) turn.claim(entry, place);
    for (const entry of this.#reservations?.kept ?? []) turn.reservations.add(entry);
    return turn;
  }

  #own(entry: TaskEntry, worker: WorkerId): void {
    if (!entry.touchesFiles) return;
    this.#owners ??= new Ownership(this.board.owners.rules);
    const who = { kind: 'task', run: entry.run.manifest.id, task: entry.id } as const;
    this.#owners.add({ ...intentOf(entry), worker, who, isLive: true });
  }

  #countCalls({ asks, id, run }: TaskEntry, place: Place): void {
    const { doer } = asks;
    const callees: (Place | Agent | undefined)[] = [];
    if (place.name !== LOCAL) callees.push(place);
    if (doer.kind === 'started-agent') callees.push(this.board.workers.agents.get(doer.agent));
    for (const callee of callees) {
      if (callee === undefined) continue;
      const call = `this turn ${run.manifest.id}/${id}`;
      const trial = { call, dueAt: laterBy(this.now, TRIAL_MS) };
      this.#breakers ??= new Map();
      this.#breakers.set(callee, callStarted(this.breakerOf(callee), trial, this.now));
    }
  }

  /** Anybody who makes a task wait, of those that were claimed in this turn. */
  anyBlocking(intent: Intent): Collision | undefined {
    return this.#owners?.anyBlocking(intent, this.now, this.steps);
  }

  /** Everybody whom it would meet, those it need not wait for included. */
  collisions(entry: TaskEntry, worker?: WorkerId): readonly Collision[] {
    const intent = intentOf(entry, worker);
    return [
      ...this.board.owners.map.collisions(intent, this.now, this.steps),
      ...(this.#owners?.collisions(intent, this.now, this.steps) ?? []),
    ];
  }
}

/** How long a trial is given to report; in this turn nothing does. */
const TRIAL_MS = 60_000;

function useOf(entry: TaskEntry, { name }: Place): Use & { readonly entry: TaskEntry } {
  return { entry, asks: entry.asks, place: name };
}

/** A task that is kept for the agent that was woken for it. */
export interface OpenOffer {
  readonly entry: TaskEntry;
  readonly worker: WorkerId;
  readonly until: Instant;
}

/** The offers to agents that have waited longer than one, and the turn with all of them taken. */
interface OffersAhead {
  readonly offers: readonly OpenOffer[];
  readonly taken: Turn;
}

interface Opening {
  readonly lane: Lane;
  readonly place: Place | undefined;
  /** How many claims there were. */
  readonly claims: number;
}
