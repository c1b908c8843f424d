/**
 * Does one thing at a time, and once for all who ask while it is being done: each gets what was begun
 * after it asked.
 */
export class NextTurn<T> {
  readonly #act: () => Promise<T>;
  #current: Promise<unknown> = Promise.resolve();
  #next: Promise<T> | undefined;

  constructor(act: () => Promise<T>) {
    this.#act = act;
  }

  async run(): Promise<T> {
    this.#next ??= this.#begin();
    return await this.#next;
  }

  async #begin(): Promise<T> {
    await this.#current;
    const doing = this.#act();
    this.#next = undefined;
    this.#current = doing.catch(() => {});
    return await doing;
  }
}
