import type { OutsideTask } from '../../domain/run.ts';
import { isFinal, type TaskState } from '../../domain/task.ts';

/** How far a task is, for those of other runs that wait for it. */
export type Standing = 'open' | 'completed' | 'ended';

export function standingOf(state: TaskState): Standing {
  if (!isFinal(state)) return 'open';
  return state.kind === 'completed' ? 'completed' : 'ended';
}

/** Whether an edge from a task that stands so holds nobody back. */
export function meets(standing: Standing, mustComplete: boolean): boolean {
  return mustComplete ? standing === 'completed' : standing !== 'open';
}

/**
 * A task of another run, with those of one run that wait for it. How far it is follows from the board as
 * long as that has its run; then it stays as it was.
 */
export class Outside<Entry> {
  readonly task: OutsideTask;
  readonly waiting: { readonly entry: Entry; readonly mustComplete: boolean }[] = [];
  standing: Standing;

  constructor(task: OutsideTask, standing: Standing) {
    this.task = task;
    this.standing = standing;
  }
}
