import { lastBefore } from '../yaml/node-at.ts';
import type { Line, YamlTree } from '../yaml/tree.ts';

/** A column in which something begins, and the one in which it is to begin. */
export interface Move {
  readonly from: number;
  readonly to: number;
}

/** What is to become of one line. */
interface LinePlan {
  /** How many spaces it is to begin with; nothing leaves it as it is. */
  readonly indent: number | undefined;
  /** The columns of what begins here, outermost first; none on lines that go on with something. */
  readonly moves: Move[];
  /** Whether the end of the line is inside of a text. */
  readonly endsInText: boolean;
}

/** The lines of a text that are to be formatted, and what was found out of each so far. */
export class LinePlans {
  readonly text: string;
  /** Without the empty one that the last line end leaves behind. */
  readonly lines: readonly Line[];
  readonly #plans = new Map<number, LinePlan>();

  constructor({ text, lines }: YamlTree) {
    this.text = text;
    const hasLast = lines.length > 1 && lines.at(-1)!.start === text.length;
    this.lines = hasLast ? lines.slice(0, -1) : lines;
  }

  get(index: number): LinePlan | undefined {
    return this.#plans.get(index);
  }

  lineOf(offset: number): number {
    return Math.max(0, lastBefore(this.lines, offset));
  }

  columnOf(offset: number): number {
    return offset - this.lines[this.lineOf(offset)]!.start;
  }

  isFirst(offset: number): boolean {
    return this.lines[this.lineOf(offset)]!.content === offset;
  }

  isBlank(index: number): boolean {
    const { content, end } = this.lines[index]!;
    return content === end;
  }

  /** How many spaces a line begins with: a tab is none. */
  spacesOf(index: number): number {
    const { start, content } = this.lines[index]!;
    const tab = this.text.slice(start, content).indexOf('\t');
    return tab < 0 ? content - start : tab;
  }

  /** Something begins on a line, as the first thing of it or behind others. */
  begin(offset: number, to: number): void {
    const index = this.lineOf(offset);
    const known = this.#plans.get(index) ?? { indent: to, moves: [], endsInText: false };
    known.moves.push({ from: this.columnOf(offset), to });
    this.#plans.set(index, known);
  }

  /** A line goes on with what began before it. */
  goOn(
    index: number,
    { indent, endsInText }: { readonly indent: number | undefined; readonly endsInText: boolean },
  ): void {
    this.#plans.set(index, { indent, moves: [], endsInText });
  }

  /** A text that begins on a line goes on behind its end. */
  runOver(index: number): void {
    const known = this.#plans.get(index);
    if (known !== undefined) this.#plans.set(index, { ...known, endsInText: true });
  }
}
