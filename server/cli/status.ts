import { Board } from '../board/board.ts';
import type { Arguments, Terminal } from './terminal.ts';
import { EXIT, type ExitCode } from './exit-code.ts';

export async function status({ folder, isJson }: Arguments, terminal: Terminal): Promise<ExitCode> {
  const listener = { changed: () => {}, failed: (message: string) => terminal.err(`${message}\n`) };
  const board = new Board(folder, terminal.world('status'), { isTrusted: true, listener });
  board.load();
  const tasks = board.tasks().map(({ plan, task, status: { kind, detail } }) => ({
    plan: plan.path,
    id: task.id,
    state: kind,
    detail,
  }));
  await board.close();
  if (isJson) terminal.out(`${JSON.stringify({ tasks })}\n`);
  else {
    const width = Math.max(0, ...tasks.map(({ id }) => id.length));
    for (const { id, state, detail } of tasks)
      terminal.out(`${id.padEnd(width)}  ${state.padEnd(11)}  ${detail}`.trimEnd() + '\n');
  }
  return board.storeProblem === undefined ? EXIT.done : EXIT.unavailable;
}
