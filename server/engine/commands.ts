import { unreachable } from '../domain/assert.ts';
import type { RunId, TaskId } from '../domain/ids.ts';
import { type Instant, isOver, laterBy } from '../domain/time.ts';
import type { ProcessIdentity, StopRequest } from '../domain/task.ts';
import type { BoardEvent } from '../scheduler/model/board-event.ts';
import type { Claim } from '../scheduler/model/run-model.ts';
import { mustWaitFor } from '../scheduler/predicate/places.ts';
import { isRunner, LOCAL, placeOf } from '../scheduler/model/workers.ts';
import { prolonged } from '../scheduler/requests/leave.ts';
import { answerHolder, type Saying, type Speaker } from '../scheduler/requests/settle.ts';
import type { BoardWriter } from './board-writer.ts';
import { launchOf } from './launch-of.ts';
import type { Attempt, CommandEnd, Runner, Sight, StartAnswer } from './ports.ts';
import type { CommittedDecision, LedgerEntry } from './store-port.ts';

/** Writes inside the next turn, whatever happens; what it answers is done once that is on the disk. */
export type Tell = (write: () => (() => void) | undefined, isUrgent: boolean) => void;

/** Whoever comes after a sleep has no network at first: so long the commands of hosts are waited for. */
const PATIENCE_MS = 60_000;

/**
 * The part of the engine that has to do with processes: carries out what was decided, and says to the
 * ledger what became of it.
 */
export class Commands {
  readonly #writer: BoardWriter;
  readonly #runner: Runner;
  readonly #tell: Tell;
  /** Those that this process has started or found, by their term. */
  readonly #known = new Map<number, Which>();
  /** Their end is known here, and not written yet. */
  readonly #ending = new Set<number>();
  readonly #sweeping = new Set<number>();
  /** Until when those have their tasks that were given them once more, by their term. */
  #given: ReadonlyMap<number, Instant | undefined> = new Map();
  /**
   * Commands that nobody could look at, and until when they are waited for: somebody may see them again.
   * Absent before those of whoever decided before were taken over.
   */
  #unseen: ReadonlyMap<number, Instant> | undefined;
  /** Ends of commands that are being looked for: they may be told before it is known that they ran. */
  readonly #early = new Map<number, CommandEnd>();
  #isFinding = false;
  /** There was a reason to look while somebody was looking. */
  #isToLookAgain = false;
  /** How much a command had printed, and since when that is all. */
  readonly #quiet = new Map<number, { readonly bytes: number; readonly since: Instant }>();

  constructor(parts: { writer: BoardWriter; runner: Runner; tell: Tell }) {
    this.#writer = parts.writer;
    this.#runner = parts.runner;
    this.#tell = parts.tell;
  }

  get #board(): BoardWriter['board'] {
    return this.#writer.board;
  }

  /** Whether there is anything that should be looked after from time to time. */
  get isBusy(): boolean {
    const { claims, owners } = this.#board;
    return claims.pushed.size + claims.leases.size + owners.leftovers.size > 0;
  }

  /** Ends are known, or were told of commands that nobody knows yet to have run, and are not written. */
  get isFinding(): boolean {
    return this.#isFinding;
  }

  act({ decision, entry: { event } }: CommittedDecision): void {
    if (decision.kind === 'claim') {
      const claim = this.#board.find(decision.run, decision.task)?.claim;
      const isMeant =
        event.kind === 'taskMoved' &&
        event.event.kind === 'taskClaimed' &&
        claim?.holder.term === event.event.term;
      if (isMeant) this.#start(claim);
    } else if (decision.kind === 'stop') this.#runner.signal(decision.term, decision.signal);
    else if (decision.kind === 'expire') this.sweepLeftovers();
  }

  /** A person's wish that it end; what was decided is acted on by itself. */
  heed({ event, decided }: LedgerEntry): void {
    if (decided !== undefined || event.kind !== 'taskMoved') return;
    if (event.event.kind === 'stopAsked') this.#runner.signal(event.event.term, event.event.signal);
  }

  /** What became of a start that was only ordered. */
  started(term: number, result: StartAnswer): void {
    const which = this.#known.get(term);
    if (which !== undefined) this.#answered({ ...which, term }, result, this.#writer.now());
  }

  /** It has ended, and nothing of it is left. */
  ended(term: number, end: CommandEnd): void {
    const which = this.#known.get(term);
    if (which === undefined) {
      if (this.#isFinding) this.#early.set(term, end);
      return;
    }
    this.#known.delete(term);
    this.#ending.add(term);
    this.#quiet.delete(term);
    const at = this.#writer.now();
    this.#tell(() => {
      // Whoever lost its claim is told nothing new: the result comes too late for anybody.
      this.#say({ ...which, term }, { says: sayingOf(end), at });
      return () => void this.#ending.delete(term);
    }, true);
  }

  /** Nobody waits for it any more: who finds it again before its lease is over has it again. */
  outOfSight(term: number): void {
    if (this.#known.delete(term)) this.#quiet.delete(term);
    else if (this.#unseen?.has(term) !== true) return;
    this.#unseen = new Map(this.#unseen).set(term, this.#writer.now());
  }

  /** What could not be looked at may be there to be looked at now. */
  lookAgain(): void {
    this.#findUnseen();
    this.sweepLeftovers();
  }

  /** What became of the commands of whoever decided before. */
  async find(): Promise<ReadonlyMap<number, Sight>> {
    this.#isFinding = true;
    return await this.#runner.adopt([...this.#attempts(), ...this.#leftovers()]);
  }

  /**
   * Brings the board in line with what was found. Nobody else could have had these tasks meanwhile. For
   * those that nobody could look at somebody looks again, for as long as their leases are.
   */
  takeOver(sights: ReadonlyMap<number, Sight>): () => void {
    const unseen = new Map<number, Instant>();
    const stopped = new Map<number, StopRequest['signal']>();
    for (const claim of this.#board.claims.pushed) {
      const { term, stop } = claim.holder;
      if (this.#unseen?.has(term) === false) continue;
      const end = this.#early.get(term);
      const sight = end === undefined ? sights.get(term) : ({ kind: 'ended', end } as const);
      if (sight === undefined) unseen.set(term, this.#unseen?.get(term) ?? this.#patience(claim));
      else this.#takeOver(claim, sight);
      if (sight?.kind === 'running' && stop !== undefined) stopped.set(term, stop.signal);
    }
    return () => {
      for (const [term, signal] of stopped) this.#runner.signal(term, signal);
      this.#unseen = unseen;
      this.#early.clear();
      this.#isFinding = false;
      if (this.#isToLookAgain) this.#findUnseen();
      this.sweepLeftovers();
    };
  }

  /**
   * Nobody could renew while this process slept or was not there, and nobody else was given anything.
   * So whoever had a task at that time has it still, for as long as its lease is.
   */
  confirmLeases(lastAt: Instant): void {
    const { pushed, pulled } = this.#board.claims;
    for (const claim of [...pushed, ...pulled]) {
      const { expiresAt } = claim.holder;
      if (expiresAt !== undefined && expiresAt > lastAt) this.#prolong(claim);
    }
  }

  /**
   * After a short time in which nobody could renew, for what is over soon. Once, until its holder renews:
   * where this process is held up again and again, nobody keeps for ever what it does not ask for.
   */
  confirmEnded(lastAt: Instant, soon: Instant): void {
    const given = new Map<number, Instant | undefined>();
    const { claims } = this.#board;
    for (const claim of [...claims.pushed, ...claims.pulled]) {
      const { term, expiresAt } = claim.holder;
      const isGiven = this.#given.has(term) && this.#given.get(term) === expiresAt;
      const isEnding = isOver(expiresAt, soon) && !isOver(expiresAt, lastAt);
      if (isEnding && !isGiven) this.#prolong(claim);
      if (isEnding || isGiven) given.set(term, claim.holder.expiresAt);
    }
    this.#given = given;
  }

  /** What this process runs is not lost, however short its lease is and however late anybody looks. */
  keepOwn(now: Instant): void {
    if (!isOver(this.#board.claims.leases.peek()?.holder.expiresAt, now)) return;
    for (const claim of this.#board.claims.pushed) {
      const { term, expiresAt } = claim.holder;
      const isOwn = this.#ending.has(term) || this.#keeps(claim, now);
      if (isOwn && isOver(expiresAt, now)) this.#prolong(claim);
    }
  }

  /** The leases of what this process runs, whatever was lost, and what says nothing for too long. */
  lookAfter(): () => void {
    const now = this.#writer.now();
    for (const claim of this.#board.claims.pushed) {
      const { holder } = claim;
      const { expiresAt, leaseMs } = holder;
      if (!this.#keeps(claim, now)) continue;
      if (expiresAt !== undefined && leaseMs !== undefined && expiresAt - now < (leaseMs * 2) / 3)
        this.#say(whichOf(claim), { says: RENEW, at: now });
      this.#listenTo(claim, now);
    }
    return () => this.lookAgain();
  }

  /** Whether a command is this process's, or is waited for: for as long as nobody else could take its task. */
  #keeps({ entry, holder }: Claim, now: Instant): boolean {
    const { term, worker, stop } = holder;
    if (this.#known.has(term)) return true;
    const until = this.#unseen?.get(term);
    if (until === undefined) return false;
    return (
      !isOver(until, now) || (stop === undefined && mustWaitFor(this.#board, entry.asks, worker))
    );
  }

  /** Until when somebody waits for a command that cannot be looked at. */
  #patience({ holder }: Claim): Instant {
    const isFar = placeOf(holder.worker) !== LOCAL;
    return laterBy(this.#writer.now(), isFar ? PATIENCE_MS : 0);
  }

  #findUnseen(): void {
    const unseen = this.#unseen;
    this.#isToLookAgain = this.#isFinding;
    if (this.#isFinding || unseen === undefined || unseen.size === 0) return;
    this.#isFinding = true;
    const attempts = [...this.#attempts()].filter(({ term }) => unseen.has(term));
    void this.#runner
      .adopt(attempts)
      .catch((): ReadonlyMap<number, Sight> => new Map())
      .then((sights) => this.#tell(() => this.takeOver(sights), true));
  }

  /** Where the plan says how long it may be quiet, one that is quiet for longer wants somebody. */
  #listenTo(claim: Claim, now: Instant): void {
    const { entry, holder } = claim;
    const limitMs = entry.asks.stuckAfterMs;
    const bytes = limitMs === undefined ? undefined : this.#runner.outputBytes(holder.term);
    if (limitMs === undefined || bytes === undefined) return;
    const quiet = this.#quiet.get(holder.term);
    const isFlagged = entry.state.kind === 'attention';
    if (quiet?.bytes !== bytes) {
      this.#quiet.set(holder.term, { bytes, since: now });
      if (isFlagged) this.#say(whichOf(claim), { says: { kind: 'progressed' }, at: now });
    } else if (!isFlagged && now - quiet.since >= limitMs)
      this.#say(whichOf(claim), { says: { kind: 'stuck' }, at: now });
  }

  sweepLeftovers(): void {
    for (const attempt of this.#leftovers()) {
      if (this.#sweeping.has(attempt.term)) continue;
      this.#sweeping.add(attempt.term);
      void this.#sweep(attempt);
    }
  }

  async #sweep(attempt: Attempt): Promise<void> {
    const { run, task, term } = attempt;
    const isGone = await this.#runner.sweep(attempt).catch(() => false);
    this.#sweeping.delete(term);
    if (isGone) this.#tell(() => this.#forgetLeftover({ run, task, term }), true);
  }

  #forgetLeftover(which: Which & { term: number }): undefined {
    if (!this.#board.owners.leftovers.has(which.term)) return;
    this.#writer.record([{ kind: 'leftoverGone', at: this.#writer.now(), ...which }]);
  }

  #start(claim: Claim): void {
    const { holder, entry } = claim;
    const { term } = holder;
    const at = this.#writer.now();
    // However long this has waited since it was decided: a lease that is over gives no right.
    if (holder.stop !== undefined || isOver(holder.expiresAt, at)) return;
    const launch = launchOf(claim);
    const which = { run: launch.run, task: entry.id };
    const result = this.#runner.start(launch);
    if (result.kind === 'ordered') this.#known.set(term, which);
    else this.#answered({ ...which, term }, result, at);
  }

  #answered({ run, task, term }: Term, result: StartAnswer, at: Instant): void {
    const which = { run, task, term };
    if (result.kind === 'started') {
      this.#known.set(term, { run, task });
      this.#tell(() => this.#started(which, { process: result.process, at }), false);
      return;
    }
    this.#known.delete(term);
    const { message, mayPass } = result;
    const says: Saying = mayPass
      ? { kind: 'lost', cause: 'not-started' }
      : { kind: 'failed', failure: { kind: 'not-started', message } };
    this.#tell(() => {
      this.#say(which, { says, at });
      return undefined;
    }, true);
  }

  #started(which: Term, { process, at }: { process: ProcessIdentity; at: Instant }): undefined {
    this.#say(which, { says: { kind: 'started', process }, at });
  }

  #takeOver(claim: Claim, sight: Sight): void {
    const which = whichOf(claim);
    const at = this.#writer.now();
    switch (sight.kind) {
      case 'running':
        this.#known.set(which.term, which);
        this.#prolong(claim);
        this.#started(which, { process: sight.process, at });
        return;
      case 'ended':
        this.#known.set(which.term, which);
        this.#prolong(claim);
        this.ended(which.term, sight.end);
        return;
      case 'never-started':
        this.#prolong(claim);
        this.#say(which, { says: { kind: 'released', reason: 'lost' }, at });
        return;
      case 'gone':
        this.#prolong(claim);
        this.#say(which, { says: { kind: 'lost', cause: sight.cause }, at });
        return;
      default:
        unreachable(sight);
    }
  }

  #prolong(claim: Claim): void {
    const { run, task } = whichOf(claim);
    const event = prolonged(claim.holder, this.#writer.now());
    if (event === undefined || event.expiresAt === claim.holder.expiresAt) return;
    this.#writer.record([{ kind: 'taskMoved', run, task, event }]);
  }

  /** Says for a command what its runner knows. */
  #say({ run, task, term }: Term, { says, at }: { says: Saying; at: Instant }): void {
    this.keepOwn(this.#writer.now());
    const answer = answerHolder(this.#board, { run, task, term, by: RUNNER, says }, at);
    if (answer.kind !== 'accepted' || answer.events.length === 0) return;
    const events: readonly BoardEvent[] = answer.events;
    if (says.kind === 'renew') this.#writer.renew({ run, task, term, events });
    else this.#writer.settle({ run, task, term, events });
  }

  *#attempts(): Generator<Attempt, void> {
    for (const claim of this.#board.claims.pushed) {
      const { holder } = claim;
      const process = holder.kind === 'running' ? holder.process : undefined;
      const launch = launchOf(claim);
      yield { ...whichOf(claim), place: launch.place, process, launch };
    }
  }

  /** Lost attempts of our own runners; of others nobody can prove anything. */
  *#leftovers(): Generator<Attempt, void> {
    for (const { run, task, term, owner } of this.#board.owners.leftovers.values())
      if (owner.until === undefined && isRunner(owner.worker))
        yield { run, task, term, place: placeOf(owner.worker), process: undefined };
  }
}

interface Which {
  readonly run: RunId;
  readonly task: TaskId;
}

type Term = Which & { readonly term: number };

const RENEW: Saying = { kind: 'renew' };
const RUNNER: Speaker = { kind: 'runner' };

function whichOf({ entry, holder }: Claim): Term {
  return { run: entry.run.manifest.id, task: entry.id, term: holder.term };
}

function sayingOf(end: CommandEnd): Saying {
  switch (end.kind) {
    case 'succeeded':
      return { kind: 'completed' };
    case 'failed':
    case 'lost':
      return end;
    default:
      return unreachable(end);
  }
}
