/** What happened, as short lines. Only their hash is kept, unless somebody wants to read them. */
export class Trace {
  #hash = 0x811c9dc5;
  readonly #print: ((line: string) => void) | undefined;

  constructor(print?: (line: string) => void) {
    this.#print = print;
  }

  get hash(): string {
    return (this.#hash >>> 0).toString(16).padStart(8, '0');
  }

  add(at: number, what: string): void {
    let hash = Math.imul(this.#hash ^ at, 0x01000193);
    for (let index = 0; index < what.length; index += 1)
      hash = Math.imul(hash ^ what.charCodeAt(index), 0x01000193);
    this.#hash = hash;
    this.#print?.(`${(at / 1000).toFixed(3).padStart(10)} ${what}`);
  }
}
