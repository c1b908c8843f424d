import type { TextRange } from './plan.ts';

export interface Position {
  readonly line: number;
  readonly character: number;
}

/** Of each text when it is first asked for. */
export function positionsIn(textOf: (file: string) => string | undefined): PositionsOf {
  const known = new Map<string, Positions>();
  return (file) => {
    const positions = known.get(file) ?? new Positions(textOf(file) ?? '');
    known.set(file, positions);
    return positions;
  };
}

export type PositionsOf = (file: string) => Positions;

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

  /** The other way round; a place behind the end of its line is the end of it. */
  offset({ line, character }: Position): number {
    const start = this.#lineStarts[Math.max(0, line)];
    if (start === undefined) return this.#length;
    const end = (this.#lineStarts[line + 1] ?? this.#length + 1) - 1;
    return Math.min(start + Math.max(0, character), end);
  }

  endOfLine(line: number): Position {
    return this.at(this.offset({ line, character: Infinity }));
  }

  range({ start, end }: TextRange): { start: Position; end: Position } {
    return { start: this.at(start), end: this.at(end) };
  }
}
