import { EXIT, type ExitCode } from './exit-code.ts';
import { lookAtBoard } from './look.ts';
import type { Arguments, Terminal } from './terminal.ts';

export async function status(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const { tasks, hasPlan, hasStore } = await lookAtBoard(args, terminal, (board) => ({
    tasks: board.tasks().map(({ plan, task, status: { kind, detail } }) => ({
      plan: plan.path,
      id: task.id,
      state: kind,
      detail,
    })),
    hasPlan: board.plans.all.length > 0,
    hasStore: board.storeProblem === undefined,
  }));
  if (args.isJson) terminal.out(`${JSON.stringify({ tasks })}\n`);
  else {
    const width = Math.max(0, ...tasks.map(({ id }) => id.length));
    for (const { id, state, detail } of tasks)
      terminal.out(`${id.padEnd(width)}  ${state.padEnd(11)}  ${detail}`.trimEnd() + '\n');
  }
  if (!hasPlan) terminal.err(`There is no plan in ${args.folder}.\n`);
  if (!hasPlan) return EXIT.usage;
  return hasStore ? EXIT.done : EXIT.unavailable;
}
