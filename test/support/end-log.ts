import type { CommandEnd, OnCommandEnd } from '../../server/engine/ports.ts';

/** Hears how commands end. */
export class EndLog {
  readonly all: (readonly [term: number, end: CommandEnd])[] = [];
  readonly #listeners = new Set<() => void>();

  readonly onEnd: OnCommandEnd = (term, end) => {
    this.all.push([term, end]);
    for (const listener of this.#listeners) listener();
  };

  async of(term: number): Promise<CommandEnd> {
    return await new Promise((resolve) => {
      const listener = (): void => {
        const found = this.all.find(([endedTerm]) => endedTerm === term);
        if (found === undefined) return;
        this.#listeners.delete(listener);
        resolve(found[1]);
      };
      this.#listeners.add(listener);
      listener();
    });
  }
}
