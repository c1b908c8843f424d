import { isFinal, type TaskState } from '../../domain/task.ts';

/** Whether an edge from a task in this state holds nobody back. */
export function isMet(state: TaskState, mustComplete: boolean): boolean {
  return mustComplete ? state.kind === 'completed' : isFinal(state);
}

/** Whether whoever needs this task completed waits in vain. */
export function isDoom({ kind }: TaskState): boolean {
  return kind === 'failed' || kind === 'cancelled' || kind === 'skipped';
}
