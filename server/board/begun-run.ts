import type { TaskDefinition } from '../domain/task.ts';
import type { RunModel } from '../scheduler/model/run-model.ts';
import type { ChosenPart } from './run-choice.ts';

/**
 * As an unfinished run goes on, the files of its board say of more and more tasks that they are done.
 * What is asked for then is still that run, and not another one without these tasks.
 */
export function asBegun(part: ChosenPart, runs: readonly RunModel[]): ChosenPart {
  const { plan, tasks, selection } = part;
  const done = new Set<string>();
  for (const { id, doneAs } of plan.plan.tasks) if (doneAs !== undefined) done.add(id);
  if (done.size === 0) return part;
  const wanted = new Map(tasks.map((task) => [task.id, textOf(task, done)]));
  for (const run of runs) {
    const { manifest } = run;
    if (manifest.plan !== plan.path) continue;
    const begun = new Map(manifest.tasks.map((task) => [task.id, task]));
    const isSame = ({ id }: TaskDefinition): boolean => {
      const task = begun.get(id);
      return task !== undefined && textOf(task, done) === wanted.get(id);
    };
    if (!tasks.every(isSame)) continue;
    const isRest = manifest.tasks.every(
      ({ id }) => wanted.has(id) || (done.has(id) && run.find(id)?.state.kind === 'completed'),
    );
    if (isRest && manifest.selection.join() === selection.join())
      return { ...part, tasks: manifest.tasks };
    return { ...part, tasks: tasks.map((task) => begun.get(task.id) ?? task) };
  }
  return part;
}

/** What is done is waited for no more. */
function textOf(task: TaskDefinition, done: ReadonlySet<string>): string {
  const isOpen = (id: string): boolean => !done.has(id);
  return JSON.stringify({
    ...task,
    dependsOn: task.dependsOn.filter(isOpen),
    after: task.after.filter(isOpen),
  });
}
