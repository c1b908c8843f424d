import type { Board } from '../../server/board/board.ts';
import type { BoardWorld } from '../../server/board/ports.ts';
import type { Random } from '../sim/random.ts';
import type { AgentHabits } from './agent-habits.ts';
import type { Journal, KillPoint } from './probe.ts';

/** What one process of a board is to do. */
export interface PartOptions {
  readonly root: string;
  /** Where the journal is. */
  readonly folder: string;
  readonly name: string;
  readonly seed: number;
  readonly killAt?: KillPoint | undefined;
  /** How often each point was passed is written there at the end. */
  readonly countsFile?: string | undefined;
  readonly duties: Duties;
}

export interface Duties {
  /** The agents that are at work in it. */
  readonly agents: readonly string[];
  readonly habits: AgentHabits;
  readonly operator?: OperatorDuties | undefined;
}

export interface OperatorDuties {
  /** How many runs there are to be, unless somebody says earlier that it is enough. */
  readonly runs: number;
  /** These are cancelled as soon as they run. */
  readonly cancels: readonly string[];
  /** Pauses, cancels and retries whatever comes to mind. */
  readonly isMoody: boolean;
  /** Before each run the plan is edited. */
  readonly edits?: boolean;
}

export interface Desk {
  readonly board: Board;
  readonly world: BoardWorld;
  readonly journal: Journal;
  readonly stirring: Stirring;
  readonly random: Random;
}

/** Whoever waits here goes on when something has happened on the board, or after a while. */
export class Stirring {
  #waiting = Promise.withResolvers<void>();
  isOver = false;

  stir(): void {
    this.#waiting.resolve();
    this.#waiting = Promise.withResolvers();
  }

  end(): void {
    this.isOver = true;
    this.stir();
  }

  async within(limitMs: number): Promise<void> {
    if (this.isOver) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, limitMs);
    await Promise.race([promise, this.#waiting.promise]);
    clearTimeout(timer);
  }
}

/** Asks until there is an answer: each kill may take one away. Nothing once it is over. */
export async function insist<T>(
  { stirring }: Pick<Desk, 'stirring'>,
  ask: () => Promise<T>,
): Promise<T | undefined> {
  while (!stirring.isOver) {
    try {
      return await ask();
    } catch {
      await stirring.within(50);
    }
  }
  return undefined;
}
