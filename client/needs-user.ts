import type { TaskView } from '../protocol/tasks.ts';

/** A person has to do something about it. What is left of a run that was not begun yet can wait. */
export function needsUser({ state, attempt }: TaskView): boolean {
  return state === 'failed' || state === 'attention' || (state === 'interrupted' && attempt > 0);
}
