import type { PlansRead } from '../protocol/starter-plan.ts';
import type { TaskView, TaskViewState } from '../protocol/tasks.ts';

/** What somebody has done already who opens the walkthrough. */
export interface DoneSoFar {
  readonly folderCount: number;
  readonly plans: readonly PlansRead[];
  readonly tasks: readonly TaskView[];
}

const NEVER_RUN: ReadonlySet<TaskViewState> = new Set(['idle', 'blocked']);

/** The context keys that complete steps of the walkthrough, as its completion events name them. */
export function doneKeys({ folderCount, plans, tasks }: DoneSoFar): readonly string[] {
  return [
    ...(folderCount > 0 ? ['interlock.tour.folder'] : []),
    ...(plans.some((folder) => folder.plans.length > 0) ? ['interlock.tour.plan'] : []),
    ...(tasks.some(({ state }) => !NEVER_RUN.has(state)) ? ['interlock.tour.run'] : []),
  ];
}
