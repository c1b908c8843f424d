import type { Journals } from './journals.ts';
import type { ProcessTable } from './process-identity.ts';
import { Slot } from './slot.ts';

/** How many slots wait for orders; what more commands need goes when they have ended. */
const IDLE_LIMIT = 8;

export interface SlotPoolOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly processes: ProcessTable;
  readonly journals: Journals;
  readonly onNotice: (term: number, word: string) => void;
  /** It died while it carried out the order of this term. */
  readonly onDeath: (term: number) => void;
  /** It is dead, and nobody writes to its journal any more. */
  readonly onGone: (journal: string) => void;
}

/** As many slots as commands run at once; who has ended a command is given the next. */
export class SlotPool {
  readonly #options: SlotPoolOptions;
  readonly #idle: Slot[] = [];
  readonly #busy = new Map<number, Slot>();

  constructor(options: SlotPoolOptions) {
    this.#options = options;
  }

  /** Throws what the system says when it has no process to give. */
  take(term: number): Slot {
    const slot = this.#idle.pop() ?? this.#open();
    this.#busy.set(term, slot);
    return slot;
  }

  /** Its command has ended as commands do: it may have another. */
  giveBack(term: number): void {
    const slot = this.#busy.get(term);
    this.#busy.delete(term);
    if (slot === undefined) return;
    if (this.#idle.length < IDLE_LIMIT && !slot.isSpent) this.#idle.push(slot);
    else slot.retire();
  }

  /** It may have something in its group that has nothing to do with a next command. */
  retire(term: number): void {
    this.#busy.get(term)?.retire();
    this.#busy.delete(term);
  }

  close(): void {
    for (const slot of [...this.#idle, ...this.#busy.values()]) slot.release();
    this.#idle.length = 0;
    this.#busy.clear();
  }

  #open(): Slot {
    const { env, processes, journals, onNotice } = this.#options;
    const journal = journals.create();
    const slot: Slot = new Slot(
      { env, processes, journal },
      { onNotice, onExit: () => this.#lose(slot) },
    );
    return slot;
  }

  #lose(slot: Slot): void {
    const at = this.#idle.indexOf(slot);
    if (at !== -1) this.#idle.splice(at, 1);
    for (const [term, busy] of this.#busy)
      if (busy === slot) {
        this.#busy.delete(term);
        this.#options.onDeath(term);
      }
    this.#options.onGone(slot.journal);
  }
}
