import { existsSync, readFileSync } from 'node:fs';
import { Board } from '../board/board.ts';
import type { Arguments, Terminal } from './terminal.ts';
import { EXIT, type ExitCode } from './exit-code.ts';

export async function log(
  { words, options, folder, isJson }: Arguments,
  terminal: Terminal,
): Promise<ExitCode> {
  const [task] = words;
  if (task === undefined) {
    terminal.err('Name one task: interlock log TASK\n');
    return EXIT.usage;
  }
  const listener = { changed: () => {}, failed: (message: string) => terminal.err(`${message}\n`) };
  const board = new Board(folder, terminal.world('log'), { isTrusted: true, listener });
  board.load();
  const plans = board.plans.all.filter(
    ({ path, plan }) => path === (options.plan ?? path) && plan.tasks.some(({ id }) => id === task),
  );
  const files = plans.flatMap(({ path }) => board.logFile(path, task) ?? []);
  await board.close();
  const [file] = files;
  if (plans.length === 0) {
    terminal.err(`There is no task "${task}".\n`);
    return EXIT.usage;
  }
  if (file === undefined || !existsSync(file)) {
    terminal.err(`"${task}" has not run yet.\n`);
    return EXIT.refused;
  }
  const text = readFileSync(file, 'utf8');
  terminal.out(isJson ? `${JSON.stringify({ task, file, text })}\n` : text);
  return EXIT.done;
}
