import { lowerBound } from './lower-bound.ts';
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

/** How many lines are looked through for a place: of the others only each so-and-so-many-th is kept. */
const STRIDE = 32;

/**
 * Turns offsets of one text into lines and characters, both counted from zero. A line ends with LF,
 * CRLF or CR, as the protocol has it, and has no places in or behind its end.
 */
export class Positions {
  readonly #text: string;
  readonly #hasReturns: boolean;
  /** Where each line begins whose number is divided by the stride, as far as somebody has asked. */
  readonly #starts: number[] = [0];
  #isWhole = false;

  constructor(text: string) {
    this.#text = text;
    this.#hasReturns = text.includes('\r');
  }

  at(offset: number): Position {
    const inside = Math.max(0, Math.min(offset, this.#text.length));
    while (!this.#isWhole && this.#starts.at(-1)! <= inside) this.#goOn();
    const above = lowerBound(this.#starts, (start) => start > inside) - 1;
    let [line, start] = [above * STRIDE, this.#starts[above]!];
    for (;;) {
      const next = this.#behind(start);
      if (next === undefined || next > inside)
        return { line, character: Math.min(inside, this.#endOf(next)) - start };
      [line, start] = [line + 1, next];
    }
  }

  /** The other way round; a place behind the end of its line is the end of it. */
  offset({ line, character }: Position): number {
    const wanted = Math.max(0, line);
    while (!this.#isWhole && this.#starts.length * STRIDE <= wanted) this.#goOn();
    let start = this.#starts[Math.floor(wanted / STRIDE)];
    for (let left = wanted % STRIDE; left > 0 && start !== undefined; left -= 1)
      start = this.#behind(start);
    if (start === undefined) return this.#text.length;
    return Math.min(start + Math.max(0, character), this.#endOf(this.#behind(start)));
  }

  endOfLine(line: number): Position {
    return this.at(this.offset({ line, character: Infinity }));
  }

  range({ start, end }: TextRange): { start: Position; end: Position } {
    return { start: this.at(start), end: this.at(end) };
  }

  /** Finds one more of the starts. */
  #goOn(): void {
    let start = this.#starts.at(-1);
    for (let left = STRIDE; left > 0 && start !== undefined; left -= 1) start = this.#behind(start);
    if (start === undefined) this.#isWhole = true;
    else this.#starts.push(start);
  }

  /** Where the next line begins. */
  #behind(start: number): number | undefined {
    const text = this.#text;
    if (!this.#hasReturns) {
      const lineBreak = text.indexOf('\n', start);
      return lineBreak < 0 ? undefined : lineBreak + 1;
    }
    LINE_BREAK.lastIndex = start;
    return LINE_BREAK.test(text) ? LINE_BREAK.lastIndex : undefined;
  }

  /** Where the line ends whose next one begins there; the last one ends with the text. */
  #endOf(next: number | undefined): number {
    if (next === undefined) return this.#text.length;
    return this.#text.endsWith('\r\n', next) ? next - 2 : next - 1;
  }
}

const LINE_BREAK = /\r\n?|\n/g;
