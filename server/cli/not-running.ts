import type { PlanSet } from '../board/plan-set.ts';
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
  if (unknown !== undefined) return unknown;
  const obstacle = obstacleOf(board.plans, name);
  const message =
    obstacle === undefined
      ? `${found.message} ${advice}`
      : `"${name.task}" cannot start. ${obstacle}`;
  return { ...found, message };
}

/** What keeps it from starting in every plan that is meant. */
function obstacleOf(plans: PlanSet, { task, plan }: TaskName): string | undefined {
  const obstacles = plans.all
    .filter(({ path }) => path === (plan ?? path))
    .filter((each) => each.plan.tasks.some(({ id }) => id === task))
    .map((each) => each.plan.obstacles.get(task));
  return obstacles.includes(undefined) ? undefined : obstacles[0];
}
