/** ` Did you mean "x"?` when one of the words is close enough to be a slip of the keys, else ``. */
export function didYouMean(word: string, words: Iterable<string>): string {
  const best = closest(word, words);
  return best === undefined ? '' : ` Did you mean "${best}"?`;
}

/** Nobody has a slip in more than this, and comparing takes the product of both lengths. */
const WORD_LIMIT = 200;

/** The word that is close enough to be what was meant. */
export function closest(word: string, words: Iterable<string>): string | undefined {
  if (word.length > WORD_LIMIT) return undefined;
  let best: string | undefined;
  // Of one letter nothing is left when it is another.
  let bestDistance = Math.min(Math.max(1, Math.floor(word.length / 3)) + 1, word.length);
  const distances = new EditDistances(word.toLowerCase());
  for (const candidate of words) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = distances.to(candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** How far one word is from others: letters added, removed, replaced, or swapped with their neighbour. */
class EditDistances {
  readonly #word: string;
  /** Three rows of the table, written over for each word: there may be thousands of them. */
  readonly #rows: readonly [Uint16Array, Uint16Array, Uint16Array];

  constructor(word: string) {
    this.#word = word;
    this.#rows = [rowOf(word), rowOf(word), rowOf(word)];
  }

  /** Exact where it is less than `limit`; otherwise no less than that. */
  to(other: string, limit: number): number {
    let [beforeLast, last, row] = this.#rows;
    for (let column = 0; column < last.length; column += 1) last[column] = column;
    for (let at = 1; at <= other.length; at += 1) {
      const least = this.#next(row, { last, beforeLast, other, at });
      // A swap leads over a row, and each row has one more at most than the one before.
      if (least > limit) return least;
      [beforeLast, last, row] = [last, row, beforeLast];
    }
    return last[last.length - 1]!;
  }

  /** Fills the row of one letter. Answers with the least in it. */
  #next(row: Uint16Array, { last, beforeLast, other, at }: Letter): number {
    const word = this.#word;
    const letter = other.charCodeAt(at - 1);
    row[0] = at;
    let least = at;
    for (let j = 1; j < row.length; j += 1) {
      const replaced = last[j - 1]! + (letter === word.charCodeAt(j - 1) ? 0 : 1);
      let distance = Math.min(replaced, last[j]! + 1, row[j - 1]! + 1);
      const isSwap =
        at > 1 &&
        j > 1 &&
        letter === word.charCodeAt(j - 2) &&
        other.charCodeAt(at - 2) === word.charCodeAt(j - 1);
      if (isSwap) distance = Math.min(distance, beforeLast[j - 2]! + 1);
      row[j] = distance;
      least = Math.min(least, distance);
    }
    return least;
  }
}

interface Letter {
  readonly last: Uint16Array;
  readonly beforeLast: Uint16Array;
  readonly other: string;
  readonly at: number;
}

function rowOf(word: string): Uint16Array {
  return new Uint16Array(word.length + 1);
}
