import type { WorkerId } from '../domain/ids.ts';
import type { LedgerEntry } from '../engine/store-port.ts';
import type { TaskEntry } from '../scheduler/model/run-model.ts';
import { personName, terminalNamed } from '../scheduler/model/workers.ts';
import type { Board } from './board.ts';
import type { OpenBoard } from './ports.ts';

/** A task for which a terminal is to be opened. */
export interface TaskForTerminal {
  readonly entry: TaskEntry;
  readonly attempt: number;
  /** The name of the person before the window. */
  readonly as: string;
}

/**
 * A window that opens terminals, as a worker of one board. It is there as soon as a task of its folder
 * waits for a terminal, is woken for it, and claims nothing itself: the program in the terminal does.
 */
export class BoardTerminals {
  readonly #board: Board;
  readonly #worker: WorkerId | undefined;
  readonly #as: string;
  #isGreeting = false;
  /** Two folders of one repository tell the same. */
  #lastSequence = 0;

  constructor(board: Board, userName: string | undefined) {
    const { person, id } = board.windowOf(userName);
    this.#board = board;
    this.#worker = terminalNamed(person, id);
    this.#as = personName(person);
  }

  /** Something may have happened. Answers for which tasks this window is to open terminals. */
  look(entries: readonly LedgerEntry[]): readonly TaskForTerminal[] {
    const open = this.#board.live;
    if (open === undefined || !this.#board.isTrusted) return [];
    void this.#greet(open);
    return entries.flatMap(({ event, sequence }) => {
      if (event.kind !== 'workerWoken' || event.worker !== this.#worker) return [];
      if (sequence <= this.#lastSequence) return [];
      this.#lastSequence = sequence;
      const entry = open.keeper.board.find(event.run, event.task);
      if (entry?.state.kind !== 'pending') return [];
      return [{ entry, attempt: entry.state.tries.attempts + 1, as: this.#as }];
    });
  }

  async leave(): Promise<void> {
    const open = this.#board.live;
    if (open === undefined || this.#worker === undefined || !this.#isKnown(open)) return;
    await open.keeper.calls.leave(this.#worker);
  }

  async #greet(open: OpenBoard): Promise<void> {
    const id = this.#worker;
    if (this.#isGreeting || id === undefined || this.#isKnown(open) || !this.#isWanted(open))
      return;
    this.#isGreeting = true;
    const since = open.clock.now();
    const { root } = this.#board;
    try {
      await open.keeper.calls.greet({
        id,
        kind: 'terminal',
        capabilities: [],
        root,
        isIdle: true,
        since,
      });
    } catch {
      // Whoever decides next is greeted when there is news of it, and a closed board needs nobody.
    } finally {
      this.#isGreeting = false;
    }
  }

  #isKnown({ keeper }: OpenBoard): boolean {
    return this.#worker !== undefined && keeper.board.workers.sessions.has(this.#worker);
  }

  #isWanted({ keeper }: OpenBoard): boolean {
    for (const { asks, run } of keeper.board.ready.pullLanes)
      if (asks.doer.kind === 'terminal' && run.manifest.root === this.#board.root) return true;
    return false;
  }
}
