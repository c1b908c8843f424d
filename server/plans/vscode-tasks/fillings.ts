import type { TextRange } from '../plan.ts';

/** What is to stand at one place of a text. */
export interface Filling {
  readonly value: string;
  readonly expression: string;
  /** As it is written, and where. */
  readonly name: string;
  readonly range: TextRange;
}

const FIRST = 0xe000;
const LAST = 0xf8ff;

/** The characters of a file that could be taken for variables, and mean themselves. */
export function lookalikesIn(source: string): ReadonlySet<string> {
  return new Set(source.match(/[\uE000-\uF8FF]/g));
}

/**
 * The variables of one task. Each is a character of its own for as long as commands are put together, so that
 * in the end it is known which quotes it stands in.
 */
export class Fillings {
  readonly #byChar = new Map<string, Filling>();
  readonly #taken: ReadonlySet<string>;
  #next = FIRST;

  /** `lookalikes`: those of the file, which has many tasks and is searched once. */
  constructor(lookalikes: ReadonlySet<string>) {
    this.#taken = lookalikes;
  }

  /** Nothing when there are too many. */
  add(filling: Filling): string | undefined {
    while (this.#taken.has(String.fromCharCode(this.#next))) this.#next += 1;
    if (this.#next > LAST) return undefined;
    const char = String.fromCharCode(this.#next);
    this.#next += 1;
    this.#byChar.set(char, filling);
    return char;
  }

  at(char: string): Filling | undefined {
    return this.#byChar.get(char);
  }

  /** The text as nobody reads it but a program. */
  plain(text: string): string {
    return text.replaceAll(/[\uE000-\uF8FF]/g, (char) => this.#byChar.get(char)?.value ?? char);
  }

  /** In the order of the text. */
  in(text: string): readonly Filling[] {
    return (text.match(/[\uE000-\uF8FF]/g) ?? []).flatMap((char) => this.#byChar.get(char) ?? []);
  }

  isIn(text: string): boolean {
    return this.in(text).length > 0;
  }
}
