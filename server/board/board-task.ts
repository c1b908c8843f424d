import type { TaskRecord } from '../engine/store-port.ts';
import type { PlanTask } from '../plans/plan.ts';
import type { Observed } from '../scheduler/model/observed.ts';
import type { LoadedPlan } from './plan-set.ts';
import type { TaskStatus } from './task-status.ts';

export interface BoardTask {
  readonly plan: LoadedPlan;
  readonly task: PlanTask;
  readonly status: TaskStatus;
  /** Absent when the task has never been part of a run. */
  readonly record: TaskRecord | undefined;
  /** What it was seen to write and to read in its newest run. */
  readonly observed: Observed | undefined;
  /** Somebody wants it not to start. */
  readonly isPaused: boolean;
}
