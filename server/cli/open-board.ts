import { Board, type BoardOptions } from '../board/board.ts';
import type { BoardWorld, OpenBoard } from '../board/ports.ts';
import type { LedgerEntry } from '../engine/store-port.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { DecidingRank } from '../keeper/links.ts';
import { OptionReader } from './options.ts';
import { Patience } from './patience.ts';
import { errLine, sayJson, sayRefused } from './say.ts';
import type { Arguments, Terminal } from './terminal.ts';

export interface BoardUse {
  readonly args: Arguments;
  readonly terminal: Terminal;
  readonly world: BoardWorld;
  readonly board: Board;
  readonly open: OpenBoard;
  /** Finds whoever decides, or becomes the one; throws when neither can be. */
  readonly takePart: () => Promise<void>;
}

export interface HowToUse {
  /** What others who meet this process read. */
  readonly command: string;
  /** Absent: it only looks, and takes no part whatever happens. */
  readonly carriesOn?: BoardOptions['carriesOn'];
  /** Absent: it decides as long as it is there, and does not ask others to hand over. */
  readonly rank?: DecidingRank;
  readonly changed?: (entries: readonly LedgerEntry[]) => void;
  /** Something is in the way, and the user was told. */
  readonly failed?: () => void;
}

/** A board for one command: whatever happens, it lets go of it at the end. */
export async function withBoard(
  args: Arguments,
  terminal: Terminal,
  {
    how,
    use,
  }: { readonly how: HowToUse; readonly use: (use: BoardUse) => Promise<ExitCode> | ExitCode },
): Promise<ExitCode> {
  const { command, carriesOn, changed = () => {}, failed: whenFailed } = how;
  const reader = new OptionReader(args.options);
  const silenceMs = reader.durationMs('connect-timeout');
  if (reader.refusal !== undefined) return sayRefused(args, terminal, reader.refusal);
  const patience = new Patience(silenceMs);
  const failed = (message: string): void => {
    errLine(terminal, message);
    patience.tax(message);
    whenFailed?.();
  };
  const waiting = (message: string): void => {
    errLine(terminal, message);
    patience.wait(message);
  };
  const world = terminal.world(command);
  const board = new Board(args.folder, world, {
    isTrusted: carriesOn !== undefined,
    carriesOn: carriesOn ?? 'none',
    ...(how.rank !== undefined && { rank: how.rank }),
    listener: { changed, failed, waiting },
  });
  try {
    const { opened: open } = board;
    if (open === undefined) return sayUnavailable(args, terminal, board);
    if (carriesOn === undefined) lookAsIfDeciding(open);
    const takePart = async (): Promise<void> => await patience.for(board.takePart(), open.alarm);
    return await use({ args, terminal, world, board, open, takePart });
  } finally {
    await board.close();
  }
}

export function sayUnavailable(args: Arguments, terminal: Terminal, board: Board): ExitCode {
  const message = board.storeProblem ?? 'The board was closed.';
  if (args.isJson) sayJson(terminal, { refused: { why: 'store', message } });
  return EXIT.unavailable;
}

/**
 * Whoever decided last has said that it ends. What is in the way of a task is what would be if
 * somebody decided now, and nobody has to be told that it is nobody.
 */
export function lookAsIfDeciding({ keeper: { board } }: OpenBoard): void {
  if (board.permission === 'shutting-down') board.permission = 'granted';
}
