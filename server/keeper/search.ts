import { StoreError, WriterBusy } from '../engine/store-error.ts';

/** Whoever has the lock listens soon. It is 15 seconds, but for those in which the machine slept. */
const LOST_TRIES = 80;

const WAITING = 'waiting';

/** Why whoever decides is not found, as long as that lasts. Each reason is said once in a search. */
export class Search {
  readonly #say: (sentence: string) => void;
  readonly #waits: (sentence: string) => void;
  readonly #said = new Set<string>();
  #absences = 0;
  /** Who has the board's lock. */
  #holder = '';

  constructor({
    say,
    waits,
  }: {
    readonly say: (sentence: string) => void;
    readonly waits: (sentence: string) => void;
  }) {
    this.#say = say;
    this.#waits = waits;
  }

  /** Somebody decides. */
  lockHeldBy(holder: string): void {
    this.#holder = holder;
  }

  /** And does not answer. */
  unanswered(): void {
    this.#absences += 1;
    if (this.#absences >= LOST_TRIES) this.#sayOnce(lostSentence(this.#holder));
  }

  /** It listens, and has not answered for so long. */
  silent(forMs: number): void {
    this.#absences = 0;
    if (this.#said.has(WAITING)) return;
    this.#said.add(WAITING);
    const seconds = Math.max(1, Math.round(forMs / 1000));
    this.#waits(
      `Waiting for the coordinator (${this.#holder}), which has not answered for ${seconds} s.`,
    );
  }

  /** Nobody can make SQLite give up the lock of a process that was stopped in the middle of a write. */
  stoppedInMidWrite(error: unknown): unknown {
    if (!(error instanceof StoreError) || error.reason !== 'world') return error;
    if (error instanceof WriterBusy) return error;
    const message =
      `${this.#holder} was stopped while it was writing to the board, so no other process can write to it. ` +
      'Continue that process ("fg" in its terminal, or kill -CONT), or end it.';
    return new StoreError('world', message, { cause: error });
  }

  answered(): void {
    this.#absences = 0;
  }

  /** Nothing gets better by asking more often; it may when the other one ends. */
  refused(message: string): void {
    this.#sayOnce(message);
  }

  over(): void {
    this.#said.clear();
    this.#absences = 0;
  }

  #sayOnce(sentence: string): void {
    if (this.#said.has(sentence)) return;
    this.#said.add(sentence);
    this.#say(sentence);
  }
}

function lostSentence(holder: string): string {
  return (
    `${holder} decides for this board and cannot be reached: the file "token" that leads to it is missing or was changed ` +
    '("interlock where" says where it is). It is looked for again and again; put the file back, or end that process.'
  );
}
