import type { ProcessIdentity } from '../domain/task.ts';
import type { Journals } from './journals.ts';
import { LookLoop } from './look-loop.ts';
import type { ProcessTable } from './process-identity.ts';

/** The system says when a journal is written to, but for what it misses, and but for deaths. */
const PAUSE_MS = 1000;
const SHORT_PAUSE_MS = 20;

interface AdoptedOptions {
  readonly journals: Journals;
  readonly processes: ProcessTable;
  /** The word of the slot; nothing when it died without one. */
  readonly onEnd: (term: number, word: string | undefined) => void;
}

/** Sees commands to their end whose slots tell somebody who is no longer there. */
export class AdoptedCommands {
  readonly #options: AdoptedOptions;
  readonly #slots = new Map<number, ProcessIdentity>();
  /** These were signalled: the end is near. */
  readonly #expected = new Set<number>();
  readonly #loop = new LookLoop(async () => Promise.resolve(this.#look()));
  #watcher: Disposable | undefined;

  constructor(options: AdoptedOptions) {
    this.#options = options;
  }

  add(term: number, slot: ProcessIdentity): void {
    this.#slots.set(term, slot);
    this.#watcher ??= this.#options.journals.watch(() => this.#loop.hurry());
    // It may have ended before the watch began.
    this.#loop.begin(0);
    this.#loop.hurry();
  }

  expect(term: number): void {
    if (!this.#slots.has(term)) return;
    this.#expected.add(term);
    this.#loop.hurry();
  }

  close(): void {
    this.#slots.clear();
    this.#loop.close();
    this.#watcher?.[Symbol.dispose]();
  }

  #look(): number | undefined {
    for (const [term, slot] of this.#slots)
      try {
        this.#lookAt(term, slot);
      } catch {
        // The system does not let us look: the next look may be better.
      }
    if (this.#slots.size === 0) return undefined;
    return this.#expected.size > 0 ? SHORT_PAUSE_MS : PAUSE_MS;
  }

  #lookAt(term: number, slot: ProcessIdentity): void {
    const { journals, processes, onEnd } = this.#options;
    // What is dead before its journal is read writes no more to it.
    const isAlive = processes.isAlive(slot);
    const result = journals.look(term)?.result;
    if (isAlive && result === undefined) return;
    this.#slots.delete(term);
    this.#expected.delete(term);
    onEnd(term, result);
  }
}
