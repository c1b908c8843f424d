import { type Instant, laterBy } from '../../domain/time.ts';
import type { TaskAttempt } from '../../board/file-claims.ts';
import type { BufferState } from './open-file.ts';

/** How long a file stays a person's after the last key, once it is saved; and how long without a word. */
const QUIET_MS = 120_000;
/** Whoever dies is not missed for longer than `QUIET_MS`; whoever lives says so in time. */
const RENEW_MS = QUIET_MS / 2;
/** From one time that a file is asked for to the next: nobody can start a task as fast by hand. */
const GAP_MS = 300;
/** A file that is being saved looks clean for a moment. */
const SETTLE_MS = 300;
/** For how long a file is taken that was saved and is nobody's by then. */
const WRITTEN_MS = 2000;
/** The board hears that a file was saved when nobody has typed for so long. */
const SAVED_MS = 3000;
/** A difference that is not worth a request. */
const SLACK_MS = 5000;
/** So many tasks may start beside one file; of more, the first ones wait again. */
const LETS_LIMIT = 20;

export interface BufferPorts {
  now(): Instant;
  after(delayMs: number, callback: () => void): Disposable;
  /** Answers whether it is on the board now. `lets` need not wait for it. */
  own(until: Instant, isSaved: boolean, lets: readonly TaskAttempt[]): Promise<boolean>;
  free(): Promise<void>;
}

/**
 * The claim of a person on one file that they edit.
 *
 *     none ──first change──▶ held while there are unsaved changes
 *      ▲                      │ saved: until 2 minutes after the last key
 *      └──undone, closed──────┘
 *
 * Invariant: a key that is pressed costs no request.
 * Invariant: a file that is saved is on the board at that time or right after it, whatever comes then:
 * the one who looks at what was written asks whose it was when it was.
 */
export class BufferClaim {
  readonly #ports: BufferPorts;
  #state: BufferState = 'clean';
  #lastKeyAt: Instant;
  /** What the board was asked for last. */
  #heldUntil: Instant | undefined;
  /** Whether the board was told that it is saved. */
  #isHeldSaved = false;
  /** Attempts at tasks that the person lets start beside the file. */
  #lets: readonly TaskAttempt[] = [];
  /** Those that the board was told of. */
  #heldLets: readonly TaskAttempt[] = [];
  #askedAt: Instant | undefined;
  /** Since when it is in its state. */
  #since: Instant;
  /** When the file was saved last without having been held: the board is still to hear of that. */
  #untoldAt: Instant | undefined;
  /** It was not changed, and taken all the same. */
  #isTaken = false;
  /** The person lets others go first, until they change the file again after a save. */
  #isYielded = false;
  #isBusy = false;
  #asking: Promise<void> | undefined;
  #isOver = false;
  #due: Disposable | undefined;

  constructor(ports: BufferPorts) {
    this.#ports = ports;
    this.#lastKeyAt = ports.now();
    this.#since = this.#lastKeyAt;
  }

  /** Whether the board has it, as far as is known here. */
  get isHeld(): boolean {
    return this.#heldUntil !== undefined && this.#heldUntil > this.#ports.now();
  }

  /** Whether nothing of it is left to be done. */
  get isIdle(): boolean {
    return this.#state === 'clean' && !this.isHeld && !this.#isBusy;
  }

  /** A key was pressed, or the buffer was saved or undone. */
  follow(state: BufferState): void {
    const now = this.#ports.now();
    if (state === 'unsaved') this.#lastKeyAt = now;
    if (state === this.#state) return;
    this.#state = state;
    this.#isTaken = false;
    this.#since = now;
    if (state === 'unsaved') this.#isYielded = false;
    this.#act();
  }

  /** The file was written by its person. */
  saved(): void {
    this.#isTaken = false;
    if (!this.isHeld) this.#untoldAt = this.#ports.now();
    if (this.#state === 'saved') this.#act();
    else this.follow('saved');
  }

  /** As if a key had been pressed; done when the board has answered. */
  async touch(): Promise<void> {
    this.#lastKeyAt = this.#ports.now();
    this.#isYielded = false;
    if (this.#state === 'clean') {
      this.#state = 'saved';
      this.#isTaken = true;
    }
    this.#act();
    await this.#asking;
  }

  get lets(): readonly TaskAttempt[] {
    return this.#lets;
  }

  /** These attempts may start beside the file, and no others. */
  let(attempts: readonly TaskAttempt[]): void {
    this.#lets = attempts.slice(-LETS_LIMIT);
    if (this.isHeld) this.#act();
  }

  /** Lets whoever waits for the file go first. */
  yield(): void {
    this.#isYielded = true;
    this.#act();
  }

  /** The board does not say any more that it is held. */
  lost(): void {
    if (this.#isBusy) return;
    this.#heldUntil = undefined;
    this.#act();
  }

  /** The file was closed; done when the board has heard what it is to hear. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.#due?.[Symbol.dispose]();
    while (this.#isBusy) await this.#asking;
    if (this.#heldUntil === undefined) return;
    this.#heldUntil = undefined;
    // What cannot be released now ends by its time.
    await this.#ports.free().catch(() => {});
  }

  /** Until when it should be held now. */
  #wanted(now: Instant): Instant | undefined {
    const kept = this.#wantedFor(now);
    const told = this.#untoldAt && laterBy(this.#untoldAt, WRITTEN_MS);
    if (told === undefined || told <= now) return kept;
    return kept === undefined || kept < told ? told : kept;
  }

  /** The same, as if nothing had been written. */
  #wantedFor(now: Instant): Instant | undefined {
    if (this.#isOver || this.#isYielded) return undefined;
    switch (this.#state) {
      case 'unsaved':
        return laterBy(now, QUIET_MS);
      case 'saved': {
        const until = laterBy(this.#lastKeyAt, QUIET_MS);
        return until > now ? until : undefined;
      }
      case 'clean':
        return undefined;
      default:
        return this.#state satisfies never;
    }
  }

  #act(): void {
    this.#due?.[Symbol.dispose]();
    this.#due = undefined;
    if (this.#isBusy) return;
    const now = this.#ports.now();
    const wanted = this.#wanted(now);
    const held = this.isHeld ? this.#heldUntil : undefined;
    if (wanted === undefined) {
      this.#letGo(held, now);
      return;
    }
    const isSaved = this.#state === 'saved' && !this.#isTaken;
    const areLetsTold = this.#lets === this.#heldLets;
    const isEnough =
      held !== undefined &&
      this.#isHeldSaved === isSaved &&
      areLetsTold &&
      !this.#isWorthAsking({ held, wanted, now });
    const gapMs = this.#askedAt === undefined ? 0 : this.#askedAt + GAP_MS - now;
    const isCorrection = held !== undefined && this.#state === 'saved' && areLetsTold;
    const patienceMs = Math.max(gapMs, isCorrection ? this.#since + SAVED_MS - now : 0);
    const waitMs = this.#untoldAt === undefined ? patienceMs : 0;
    if (!isEnough && waitMs > 0) this.#actAfter(waitMs);
    else if (!isEnough) {
      this.#isHeldSaved = isSaved;
      const lets = this.#lets;
      this.#heldLets = lets;
      this.#asking = this.#ask(async () => await this.#ports.own(wanted, isSaved, lets), wanted);
    } else if (this.#state === 'unsaved') this.#actAfter(held - RENEW_MS - now);
  }

  #letGo(held: Instant | undefined, now: Instant): void {
    if (held === undefined) return;
    const settleMs = this.#state === 'clean' ? this.#since + SETTLE_MS - now : 0;
    if (settleMs > 0 && !this.#isYielded) this.#actAfter(settleMs);
    else
      this.#asking = this.#ask(async () => await this.#ports.free().then(() => false), undefined);
  }

  #isWorthAsking(of: {
    readonly held: Instant;
    readonly wanted: Instant;
    readonly now: Instant;
  }): boolean {
    const { held, wanted, now } = of;
    if (this.#state === 'unsaved') return held - now <= RENEW_MS;
    return Math.abs(held - wanted) > SLACK_MS;
  }

  #actAfter(delayMs: number): void {
    this.#due = this.#ports.after(Math.max(1, delayMs), () => this.#act());
  }

  async #ask(ask: () => Promise<boolean>, until: Instant | undefined): Promise<void> {
    this.#isBusy = true;
    if (until === undefined) this.#heldUntil = undefined;
    else this.#askedAt = this.#ports.now();
    // Nothing where the board cannot be asked now, which it says itself.
    const answer = await ask().catch((): undefined => undefined);
    this.#heldUntil = answer === true ? until : undefined;
    this.#isBusy = false;
    if (until !== undefined && answer !== undefined) this.#untoldAt = undefined;
    const isDone = this.#isOver && this.#wanted(this.#ports.now()) === undefined;
    if (isDone) return await this.end();
    if (this.#isOutdated(until)) this.#act();
    else if (answer === undefined && until !== undefined) this.#actAfter(RENEW_MS);
  }

  /** Whether something else is wanted by now than what was asked for. */
  #isOutdated(asked: Instant | undefined): boolean {
    const isWanted = this.#wanted(this.#ports.now()) !== undefined;
    return isWanted !== (asked !== undefined) || this.#heldUntil !== undefined;
  }
}
