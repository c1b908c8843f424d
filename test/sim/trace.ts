/** What happened, as short lines, for whoever wants to read them; of what was read there is a hash. */
export class Trace {
  #hash = 0x811c9dc5;
  readonly #print: ((line: string) => void) | undefined;

  constructor(print?: (line: string) => void) {
    this.#print = print;
  }

  /** Whether a line is worth its making. */
  get isRead(): boolean {
    return this.#print !== undefined;
  }

  get hash(): string {
    return (this.#hash >>> 0).toString(16).padStart(8, '0');
  }

  add(at: number, what: string): void {
    if (this.#print === undefined) return;
    let hash = Math.imul(this.#hash ^ at, 0x01000193);
    for (let index = 0; index < what.length; index += 1)
      hash = Math.imul(hash ^ what.charCodeAt(index), 0x01000193);
    this.#hash = hash;
    this.#print(`${(at / 1000).toFixed(3).padStart(10)} ${what}`);
  }
}
