import { parseDuration } from '../plans/quantities.ts';
import { EXIT } from './exit-code.ts';
import type { Refused } from './say.ts';
import type { Arguments } from './terminal.ts';

/** What was written behind options that take a value; nothing where they are not there. */
export class OptionReader {
  readonly #options: Arguments['options'];
  #problem: string | undefined;

  constructor(options: Arguments['options']) {
    this.#options = options;
  }

  /** The first mistake of all that was read so far. */
  get refusal(): Refused | undefined {
    if (this.#problem === undefined) return undefined;
    return { kind: 'refused', why: 'usage', message: this.#problem, code: EXIT.usage };
  }

  text(name: string): string | undefined {
    const value = this.#options[name];
    return value === undefined ? undefined : String(value);
  }

  /** A whole number from `from` on, of at most so many digits. */
  number(
    name: string,
    { from, digits }: { readonly from: number; readonly digits: number },
  ): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (/^\d+$/.test(text) && text.length <= digits && Number(text) >= from) return Number(text);
    this.#wrong(`--${name} takes a number from ${from} to ${'9'.repeat(digits)}, not "${text}".`);
    return undefined;
  }

  durationMs(name: string): number | undefined {
    const text = this.text(name);
    const durationMs = text === undefined ? undefined : parseDuration(text);
    if (text !== undefined && !(durationMs !== undefined && durationMs > 0))
      this.#wrong(`--${name} takes a duration such as 30s, 5m or 1h30m, not "${text}".`);
    return durationMs;
  }

  oneOf<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const text = this.text(name);
    const found = words.find((word) => word === text);
    if (text !== undefined && found === undefined)
      this.#wrong(`--${name} is ${words.join(' or ')}, not "${text}".`);
    return found;
  }

  notBoth(one: string, other: string): void {
    if (this.#options[one] === undefined || this.#options[other] === undefined) return;
    this.#wrong(`--${one} and --${other} say opposite things. Leave out one of the two.`);
  }

  names(name: string): readonly string[] {
    return (this.text(name) ?? '')
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '');
  }

  #wrong(problem: string): void {
    this.#problem ??= problem;
  }
}
