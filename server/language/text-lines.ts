import type { Position } from '../plans/positions.ts';

/** A part of a text that was replaced; without a range it is all of it. */
export interface TextEdit {
  readonly range?: { readonly start: Position; readonly end: Position };
  readonly text: string;
}

/** The lines of a text that is being edited, without what ends them. */
export class TextLines {
  #lines: string[];

  constructor(lines: readonly string[]) {
    this.#lines = [...lines];
  }

  get all(): readonly string[] {
    return this.#lines;
  }

  edit({ range, text }: TextEdit): void {
    const fresh = linesOf(text);
    if (range === undefined) {
      this.#lines = fresh;
      return;
    }
    const { start, end } = range;
    const before = (this.#lines[start.line] ?? '').slice(0, start.character);
    const after = (this.#lines[end.line] ?? '').slice(end.character);
    const last = fresh.length - 1;
    fresh[0] = before + fresh[0]!;
    fresh[last] += after;
    const count = end.line - start.line + 1;
    if (fresh.length < SPREAD_LIMIT) this.#lines.splice(start.line, count, ...fresh);
    else
      this.#lines = this.#lines
        .slice(0, start.line)
        .concat(fresh, this.#lines.slice(start.line + count));
  }
}

/** More arguments than this may be too many for a call. */
const SPREAD_LIMIT = 10_000;

/** As the protocol counts lines. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}
