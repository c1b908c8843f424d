/** The only source of chance in a simulated world: sfc32, seeded by splitmix32. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter: number;

  constructor(seed: number) {
    let mixed = seed | 0;
    const next = (): number => {
      mixed = (mixed + 0x9e3779b9) | 0;
      let bits = mixed ^ (mixed >>> 16);
      bits = Math.imul(bits, 0x21f0aaad);
      bits ^= bits >>> 15;
      bits = Math.imul(bits, 0x735a2d97);
      return bits ^ (bits >>> 15);
    };
    this.#a = next();
    this.#b = next();
    this.#c = next();
    this.#counter = 1;
    for (let round = 0; round < 8; round += 1) this.next();
  }

  /** In [0, 1). */
  next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return (sum >>> 0) / 2 ** 32;
  }

  chance(probability: number): boolean {
    return probability > 0 && this.next() < probability;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  pick<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new RangeError('There is nothing to pick from.');
    return items[this.below(items.length)]!;
  }
}
