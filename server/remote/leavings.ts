import type { Machine } from './machine.ts';
import { markOf } from './machine-order.ts';
import { fence, kill } from './machine-sight.ts';
import type { Supply } from './supply.ts';

interface Parts {
  readonly board: string;
  readonly supply: Pick<Supply, 'discard' | 'terms'>;
  readonly machine: () => Machine | undefined;
  readonly bear: (error: unknown) => Promise<void>;
  /** What is seen when the machine is there again counts. */
  readonly ignoreLoss: (error: unknown) => void;
  /** Whether its command is not known to have ended. */
  readonly isAtWork: (term: number) => boolean;
}

/** What a machine keeps of attempts, until whoever keeps the ledger asks for it no more. */
export class Leavings {
  readonly #parts: Parts;
  /** Somebody may ask for these; nothing is known of others before whoever decides has begun. */
  #kept: Set<number> | undefined;
  /** The same, before that. */
  readonly #early = new Set<number>();
  /** Whose end was told, and whoever keeps the ledger may not have written it yet. */
  readonly #spent = new Set<number>();
  /** Whose end is in the ledger, and of whom the machine may still have something. */
  readonly #settled = new Set<number>();
  #isForgetting = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get isEmpty(): boolean {
    return this.#spent.size + this.#settled.size === 0;
  }

  /** Whoever decides asks first for all that there may be. What else is there nobody asks for. */
  begin(terms: readonly number[]): void {
    if (this.#kept !== undefined) return;
    this.#kept = new Set([...this.#early, ...terms]);
    this.reached();
  }

  keep(terms: readonly number[]): void {
    for (const term of terms) (this.#kept ?? this.#early).add(term);
  }

  spend(term: number): void {
    this.#spent.add(term);
  }

  /** All ends that were told until now are in the ledger. */
  settle(): void {
    for (const term of this.#spent) this.#settled.add(term);
    this.#spent.clear();
    void this.#forget().catch(this.#parts.ignoreLoss).catch(this.#parts.bear);
  }

  /** What a machine that was away may still have, it is asked to forget when it is there again. */
  reached(): void {
    const machine = this.#parts.machine();
    if (machine !== undefined)
      void this.#forgetOthers(machine).catch(this.#parts.ignoreLoss).catch(this.#parts.bear);
  }

  async #forgetOthers(machine: Machine): Promise<void> {
    const kept = this.#kept;
    if (kept === undefined) return;
    const { lines } = await machine.shell.ask('il_terms');
    const there = [...lines.map(Number), ...(await this.#parts.supply.terms(machine))];
    const unknown = there.filter(
      (term) =>
        Number.isSafeInteger(term) &&
        !(kept.has(term) || this.#spent.has(term) || this.#parts.isAtWork(term)),
    );
    // Of a host that was said to be gone for ever some may be at work, and nobody waits for them.
    const alive = unknown.length === 0 ? [] : await fence(unknown, machine);
    for (const term of alive) await kill(term, markOf(this.#parts.board, term), machine);
    for (const term of unknown) this.#settled.add(term);
    await this.#forget();
  }

  async #forget(): Promise<void> {
    const machine = this.#parts.machine();
    const terms = [...this.#settled];
    if (machine === undefined || terms.length === 0 || this.#isForgetting) return;
    this.#isForgetting = true;
    try {
      await machine.shell.ask('il_forget', ...terms);
      await this.#parts.supply.discard(terms, machine);
      for (const term of terms) this.#settled.delete(term);
    } finally {
      this.#isForgetting = false;
    }
    await this.#forget();
  }
}
