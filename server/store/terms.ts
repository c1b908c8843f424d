import { type Reserve, TermReserve } from './term-reserve.ts';

/** Numbers claims. A number that was given out is never given out again, whatever became of it. */
export class Terms {
  readonly #reserve: TermReserve;
  readonly #isReplaced: boolean;
  #tenure = 0;
  #term = 0;

  /** `isReplaced`: the database before this one is gone, and what it said. */
  constructor(file: string, { isReplaced }: { readonly isReplaced: boolean }) {
    this.#reserve = new TermReserve(file);
    this.#isReplaced = isReplaced;
  }

  /** Where a new tenure goes on from, in whatever database; `floor` is for when nobody knows. */
  begin(known: Reserve, floor: number): Reserve {
    const { tenure, term } = this.#before(floor);
    const next = {
      tenure: Math.max(known.tenure, tenure) + 1,
      term: Math.max(known.term, term, this.#term),
    };
    this.#reserve.write(next);
    this.#tenure = next.tenure;
    this.#term = next.term;
    return next;
  }

  #before(floor: number): Reserve {
    const reserve = this.#reserve.read();
    if (reserve === 'damaged' || (reserve === 'none' && this.#isReplaced))
      return { tenure: floor, term: floor };
    return reserve === 'none' ? { tenure: 0, term: 0 } : reserve;
  }

  get last(): number {
    return this.#term;
  }

  mint(): number {
    const term = this.#term + 1;
    this.#reserve.cover({ tenure: this.#tenure, term });
    this.#term = term;
    return term;
  }

  /** Nothing is left in reserve: who comes next goes on without a gap. */
  finish(): void {
    this.#reserve.write({ tenure: this.#tenure, term: this.#term });
  }
}
