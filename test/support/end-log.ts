import type { CommandEnd, RunnerNews, StartAnswer } from '../../server/engine/ports.ts';

/** Hears what a runner tells. */
export class EndLog implements RunnerNews {
  readonly all: (readonly [term: number, end: CommandEnd])[] = [];
  readonly starts: (readonly [term: number, result: StartAnswer])[] = [];
  readonly unseen: number[] = [];
  readonly #listeners = new Set<() => void>();

  started(term: number, result: StartAnswer): void {
    this.starts.push([term, result]);
    for (const listener of this.#listeners) listener();
  }

  ended(term: number, end: CommandEnd): void {
    this.all.push([term, end]);
    for (const listener of this.#listeners) listener();
  }

  outOfSight(term: number): void {
    this.unseen.push(term);
    for (const listener of this.#listeners) listener();
  }

  /** Of hosts it hears nothing. */
  placeSeen(): void {}
  placeGone(): void {}

  async of(term: number): Promise<CommandEnd> {
    return await this.#until(() => this.all.find(([ended]) => ended === term)?.[1]);
  }

  async startOf(term: number): Promise<StartAnswer> {
    return await this.#until(() => this.starts.find(([started]) => started === term)?.[1]);
  }

  async #until<T>(find: () => T | undefined): Promise<T> {
    return await new Promise((resolve) => {
      const listener = (): void => {
        const found = find();
        if (found === undefined) return;
        this.#listeners.delete(listener);
        resolve(found);
      };
      this.#listeners.add(listener);
      listener();
    });
  }
}
