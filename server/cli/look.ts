import { Board } from '../board/board.ts';
import type { Arguments, Terminal } from './terminal.ts';

/** A board for a command that only looks: whatever happens, it lets go of the store. */
export async function lookAtBoard<T>(
  { folder }: Arguments,
  terminal: Terminal,
  look: (board: Board) => T,
): Promise<T> {
  const listener = { changed: () => {}, failed: (message: string) => terminal.err(`${message}\n`) };
  const board = new Board(folder, terminal.world('look'), { isTrusted: false, listener });
  try {
    board.load();
    return look(board);
  } finally {
    await board.close();
  }
}
