/** Whoever has the lock listens soon. It is 15 seconds, but for those in which the machine slept. */
const LOST_TRIES = 80;

/** Why whoever decides is not found, as long as that lasts. Each reason is said once in a search. */
export class Search {
  readonly #say: (sentence: string) => void;
  readonly #said = new Set<string>();
  #absences = 0;
  /** Who has the board's lock. */
  #holder = '';

  constructor(say: (sentence: string) => void) {
    this.#say = say;
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
