import type { Board } from './board.ts';
import type { BoardTask } from './board-task.ts';

/** One task with how it is now; nothing is read anew where nothing has happened since the last look. */
export function taskOf(board: Board, plan: string, id: string): BoardTask | undefined {
  return board.tasksShown().find((each) => each.plan.path === plan && each.task.id === id);
}
