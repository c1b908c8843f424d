import { BoardDirectory } from '../system/board-directory.ts';
import type { Arguments, Terminal } from './terminal.ts';
import { EXIT, type ExitCode } from './exit-code.ts';

export function where({ folder, isJson }: Arguments, terminal: Terminal): ExitCode {
  const directory = new BoardDirectory(folder, terminal.env);
  const answer = { state: directory.path, database: directory.databaseFile };
  terminal.out(isJson ? `${JSON.stringify(answer)}\n` : `${answer.state}\n`);
  return EXIT.done;
}
