import type { TextRange } from './plan.ts';

export interface Position {
  readonly line: number;
  readonly character: number;
}

/** Turns offsets of one text into lines and characters, both counted from zero. */
export class Positions {
  readonly #lineStarts: readonly number[];
  readonly #length: number;

  constructor(text: string) {
    const starts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.#lineStarts = starts;
    this.#length = text.length;
  }

  at(offset: number): Position {
    const inside = Math.max(0, Math.min(offset, this.#length));
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#lineStarts[middle]! <= inside) low = middle;
      else high = middle - 1;
    }
    return { line: low, character: inside - this.#lineStarts[low]! };
  }

  range({ start, end }: TextRange): { start: Position; end: Position } {
    return { start: this.at(start), end: this.at(end) };
  }
}
