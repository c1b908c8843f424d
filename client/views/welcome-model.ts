import type { PlansRead } from '../../protocol/starter-plan.ts';

/** What the Tasks view says instead of tasks, as the `when` clauses of its texts name it. */
export type EmptyBecause = 'noPlan' | 'noTasks' | 'wrongPlan' | 'stopped';

export interface WhatIsThere {
  readonly server: 'starting' | 'running' | 'stopped';
  readonly taskCount: number;
  /** Folders of which the server tells. */
  readonly folderCount: number;
  /** Of each folder whose plans were read. */
  readonly read: readonly PlansRead[];
}

/** Nothing where tasks are shown, and for as long as somebody is still looking for them. */
export function emptyBecause(there: WhatIsThere): EmptyBecause | undefined {
  const { server, taskCount, folderCount, read } = there;
  if (taskCount > 0 || folderCount === 0) return undefined;
  if (server === 'stopped') return 'stopped';
  if (server === 'starting' || read.length < folderCount) return undefined;
  const plans = read.flatMap((folder) => folder.plans);
  if (plans.some(({ hasErrors }) => hasErrors)) return 'wrongPlan';
  return plans.length > 0 ? 'noTasks' : 'noPlan';
}
