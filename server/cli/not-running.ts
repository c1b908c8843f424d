import { findTask, type FoundTask, type TaskName } from './find-task.ts';
import { whyUnknown } from './no-plan.ts';
import type { BoardUse } from './open-board.ts';

/** A task of an unfinished run; where there is none, what the plans say of it and what to do. */
export function findLiveTask(
  { args, board, open }: Pick<BoardUse, 'args' | 'board' | 'open'>,
  name: TaskName,
  advice: string,
): FoundTask {
  const found = findTask(open.keeper.board, args.folder, name);
  if (found.kind === 'found' || found.why !== 'not-running') return found;
  if (name.run !== undefined) return found;
  board.load();
  const unknown = whyUnknown({ folder: args.folder, plans: board.plans, name });
  return unknown ?? { ...found, message: `${found.message} ${advice}` };
}
