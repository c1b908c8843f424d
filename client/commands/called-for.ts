import type { GraphKey } from '../../protocol/graph.ts';
import type { RunKey } from '../../protocol/runs.ts';
import type { TaskView } from '../../protocol/tasks.ts';
import type { WorkerView } from '../../protocol/workers.ts';
import { keyOf, type TaskList } from '../task-list.ts';
import { type HeldBy, keyOfHold, type WorkerList } from '../worker-list.ts';

// What a command was called for. A menu passes the row it belongs to, and a link, a picture or another
// program the names of a task, a run or a plan; the palette passes nothing.

/** Also for something that has gone since, or that never was. */
export function isCalledFor(argument: unknown): boolean {
  return argument !== undefined && argument !== null;
}

/** A button of a view passes the row that has the focus, which may be one that is about several things. */
export function isGroup(argument: unknown): boolean {
  return fieldsOf(argument)['kind'] === 'group';
}

export function taskOf(tasks: TaskList, argument: unknown): TaskView | undefined {
  const { key, folderUri, plan, id } = fieldsOf(argument);
  if (isText(key)) return tasks.get(key);
  if (!isText(folderUri) || !isText(plan) || !isText(id)) return undefined;
  return tasks.get(keyOf({ folderUri, plan, id }));
}

/** All of them: a menu passes the row that was pointed at, and behind it the rows that are selected. */
export function tasksOf(tasks: TaskList, args: readonly unknown[]): readonly TaskView[] {
  const [row, selected] = args;
  const rows = Array.isArray(selected) && selected.length > 0 ? selected : [row];
  const views = rows.flatMap((one) => taskOf(tasks, one) ?? []);
  return [...new Set(views)];
}

/** The run itself, or the newest one that has the task. */
export function runOf(tasks: TaskList, argument: unknown): RunKey | undefined {
  const { folderUri, run } = taskOf(tasks, argument) ?? fieldsOf(argument);
  return isText(folderUri) && isText(run) ? { folderUri, run } : undefined;
}

export function planOf(tasks: TaskList, argument: unknown): GraphKey | undefined {
  const { folderUri, plan } = taskOf(tasks, argument) ?? fieldsOf(argument);
  return isText(folderUri) && isText(plan) ? { folderUri, plan } : undefined;
}

export function workerOf(workers: WorkerList, argument: unknown): WorkerView | undefined {
  const { key } = fieldsOf(argument);
  return isText(key) ? workers.get(key) : undefined;
}

/** What a worker has; of a task, what the user has of it. */
export function holdOf(
  { tasks, workers }: { readonly tasks: TaskList; readonly workers: WorkerList },
  argument: unknown,
): HeldBy | undefined {
  const task = taskOf(tasks, argument);
  if (task !== undefined) return workers.ownTasks.get(keyOf(task));
  const { key } = fieldsOf(argument);
  return workers.holds.find((held) => keyOfHold(held) === key);
}

function fieldsOf(argument: unknown): Readonly<Partial<Record<string, unknown>>> {
  return typeof argument === 'object' && argument !== null ? { ...argument } : {};
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
