import { EXIT, type ExitCode } from './exit-code.ts';
import { StoreError } from '../engine/store-error.ts';
import { type BoardUse, withBoard } from './open-board.ts';
import { outLine, sayJson } from './say.ts';
import type { Arguments, Terminal } from './terminal.ts';
import { placesOf } from './where.ts';

/** A coordinator without an editor: it decides, or waits until it is its turn to. */
export async function serve(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  let serving: Serving | undefined;
  const how = {
    command: 'serve',
    carriesOn: 'all',
    rank: 'first',
    changed: () => serving?.sayRole(),
    failed: () => serving?.lookAgain(),
  } as const;
  const use = async (board: BoardUse): Promise<ExitCode> => {
    serving = new Serving(board);
    return await serving.untilInterrupted();
  };
  return await withBoard(args, terminal, { how, use });
}

class Serving {
  readonly #use: BoardUse;
  readonly #over = Promise.withResolvers<ExitCode>();
  #said: 'deciding' | 'following' | undefined;
  #hasJoined = false;
  #interrupts = 0;

  constructor(use: BoardUse) {
    this.#use = use;
  }

  async untilInterrupted(): Promise<ExitCode> {
    this.#use.terminal.onInterrupt(() => this.#interrupted());
    this.#join().catch((error: unknown) => this.#over.reject(error));
    return await this.#over.promise;
  }

  async #join(): Promise<void> {
    await this.#use.takePart();
    this.#hasJoined = true;
    this.sayRole();
  }

  /** Whoever decides tries again by itself, but for a board that is gone. */
  lookAgain(): void {
    if (!this.#hasJoined) return;
    this.#use.open.keeper.takePart().catch((error: unknown) => {
      if (error instanceof StoreError && error.reason === 'gone') this.#over.reject(error);
    });
  }

  /** Once each time it changes. */
  sayRole(): void {
    const { args, terminal, open } = this.#use;
    if (!this.#hasJoined || this.#interrupts > 0) return;
    const role = open.keeper.isDeciding ? 'deciding' : 'following';
    if (role === this.#said) return;
    const isFirst = this.#said === undefined;
    this.#said = role;
    const { socket, state } = placesOf(args.folder, terminal.env);
    const where = socket === undefined ? '' : ` (socket ${socket})`;
    if (!args.isJson)
      outLine(
        terminal,
        role === 'deciding'
          ? `Deciding for ${args.folder}${where}.`
          : `${open.decider() ?? 'Another process'} decides for ${args.folder}; following it.`,
      );
    else if (isFirst)
      sayJson(terminal, { role, board: args.folder, state, socket, pid: process.pid });
  }

  #interrupted(): void {
    this.#interrupts += 1;
    if (this.#interrupts > 1) this.#use.terminal.abort(EXIT.interrupted);
    this.#use.terminal.err('Leaving. What runs goes on.\n');
    this.#over.resolve(EXIT.done);
  }
}
