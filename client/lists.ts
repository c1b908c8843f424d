import { PLANS_READ, type PlansRead } from '../protocol/starter-plan.ts';
import { TASKS_CHANGED, type TasksChanged } from '../protocol/runs.ts';
import { WORKERS_CHANGED, type WorkersChanged } from '../protocol/workers.ts';
import { PlanList } from './plan-list.ts';
import { RunList } from './run-list.ts';
import type { ServerProcess } from './server-process.ts';
import { TaskList } from './task-list.ts';
import { now } from './time.ts';
import { WorkerList } from './worker-list.ts';

/** What the server has told of the folders of a window, as it is now. */
export interface Lists {
  readonly tasks: TaskList;
  readonly runs: RunList;
  readonly workers: WorkerList;
  readonly plans: PlanList;
}

/** Keeps them for as long as the window is there. What a server said is over when it is gone. */
export function keepLists(server: ServerProcess): Lists {
  const lists: Lists = {
    tasks: new TaskList(),
    runs: new RunList(),
    workers: new WorkerList(() => performance.now(), now()),
    plans: new PlanList(),
  };
  const { tasks, runs, workers, plans } = lists;
  server.on<TasksChanged>(TASKS_CHANGED, (changes) => {
    runs.apply(changes.runs);
    tasks.apply(changes);
  });
  server.on<WorkersChanged>(WORKERS_CHANGED, (changes) => workers.apply(changes));
  server.on<PlansRead>(PLANS_READ, (read) => plans.apply(read));
  server.onStopped(() => {
    tasks.clear();
    runs.clear();
    workers.clear();
    plans.keep(() => false);
  });
  return lists;
}
