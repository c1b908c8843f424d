/** So many are kept, the newest ones; each has at most 1 MiB. */
const KEPT = 20;

/** Texts that would be gone otherwise, by names that are never given twice. */
export class KeptTexts {
  readonly #texts = new Map<string, string>();
  #count = 0;

  add(text: string): string {
    this.#count += 1;
    const name = String(this.#count);
    this.#texts.set(name, text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > KEPT && oldest !== undefined) this.#texts.delete(oldest);
    return name;
  }

  get(name: string): string | undefined {
    return this.#texts.get(name);
  }
}
