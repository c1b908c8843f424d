/** Questions of one turn are asked together; each is answered by its own part of the answer. */
export class QuestionBatch<Answer> {
  readonly #ask: (keys: readonly string[]) => Promise<readonly Answer[]>;
  readonly #limit: number;
  #open: Map<string, PromiseWithResolvers<Answer>> | undefined;

  constructor(
    ask: (keys: readonly string[]) => Promise<readonly Answer[]>,
    { limit }: { readonly limit: number },
  ) {
    this.#ask = ask;
    this.#limit = limit;
  }

  async of(key: string): Promise<Answer> {
    if (this.#open === undefined) {
      const open = new Map<string, PromiseWithResolvers<Answer>>();
      this.#open = open;
      setImmediate(() => this.#close(open));
    }
    const known = this.#open.get(key) ?? Promise.withResolvers<Answer>();
    this.#open.set(key, known);
    return await known.promise;
  }

  #close(open: ReadonlyMap<string, PromiseWithResolvers<Answer>>): void {
    this.#open = undefined;
    const keys = [...open.keys()];
    for (let start = 0; start < keys.length; start += this.#limit)
      void this.#answer(keys.slice(start, start + this.#limit), open);
  }

  async #answer(
    keys: readonly string[],
    open: ReadonlyMap<string, PromiseWithResolvers<Answer>>,
  ): Promise<void> {
    try {
      const answers = await this.#ask(keys);
      for (const [at, key] of keys.entries()) open.get(key)!.resolve(answers[at]!);
    } catch (error) {
      for (const key of keys) open.get(key)!.reject(error);
    }
  }
}
