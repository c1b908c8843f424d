import { namesMeet, type WildName } from './name.ts';
import type { Budget } from './row-walk.ts';

/** Something that has a name with wildcards. */
interface Named {
  readonly name: WildName;
}

/** So few are looked at faster than they are looked up. */
const FEW = 8;

/**
 * Things by their names, each name once. Those of which a plain name is one are found by what it
 * starts or ends with: hundreds of names like `*.users.ts` are no reason to look at hundreds.
 */
export class WildNames<T extends Named> {
  readonly #all = new Map<string, T>();
  /** Each thing stands in one of the two, by the longer end of its name. */
  readonly #starts = new Ends<T>((name, length) => name.slice(0, length));
  readonly #ends = new Ends<T>((name, length) => name.slice(name.length - length));

  get size(): number {
    return this.#all.size;
  }

  get all(): Iterable<T> {
    return this.#all.values();
  }

  get({ text }: WildName): T | undefined {
    return this.#all.get(text);
  }

  add(thing: T): void {
    this.#all.set(thing.name.text, thing);
    this.#tableOf(thing).add(endOf(thing), thing);
  }

  remove({ text }: WildName): void {
    const thing = this.#all.get(text);
    if (thing === undefined) return;
    this.#all.delete(text);
    this.#tableOf(thing).remove(endOf(thing), thing);
  }

  /** Calls back for each that a plain name is one of, until the answer is that this is enough. */
  matching(name: string, isEnough: (thing: T) => boolean, budget?: Budget): boolean {
    const isFound = (thing: T): boolean => namesMeet(thing.name, name, budget) && isEnough(thing);
    if (this.#all.size > FEW)
      return this.#starts.some(name, isFound) || this.#ends.some(name, isFound);
    for (const thing of this.#all.values()) if (isFound(thing)) return true;
    return false;
  }

  #tableOf({ name: { prefix, suffix } }: T): Ends<T> {
    return prefix.length < suffix.length ? this.#ends : this.#starts;
  }
}

function endOf({ name: { prefix, suffix } }: Named): string {
  return prefix.length < suffix.length ? suffix : prefix;
}

/** Things by a text that is an end of what is asked for. */
class Ends<T> {
  readonly #cut: (name: string, length: number) => string;
  /** For each length of such a text. */
  readonly #byLength = new Map<number, Map<string, Set<T>>>();

  constructor(cut: (name: string, length: number) => string) {
    this.#cut = cut;
  }

  add(end: string, thing: T): void {
    let byEnd = this.#byLength.get(end.length);
    if (byEnd === undefined) this.#byLength.set(end.length, (byEnd = new Map()));
    const things = byEnd.get(end);
    if (things === undefined) byEnd.set(end, new Set([thing]));
    else things.add(thing);
  }

  remove(end: string, thing: T): void {
    const byEnd = this.#byLength.get(end.length);
    const things = byEnd?.get(end);
    things?.delete(thing);
    if (things?.size === 0) byEnd?.delete(end);
    if (byEnd?.size === 0) this.#byLength.delete(end.length);
  }

  some(name: string, isFound: (thing: T) => boolean): boolean {
    for (const [length, byEnd] of this.#byLength) {
      if (length > name.length) continue;
      for (const thing of byEnd.get(this.#cut(name, length)) ?? []) if (isFound(thing)) return true;
    }
    return false;
  }
}
