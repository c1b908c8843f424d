import { displayName } from '../../picture/display-text.ts';
import type { TaskView } from '../../protocol/tasks.ts';
import { isOfEditor } from '../task-list.ts';

/** What `tasks.json` says of one of our tasks: `{ "type": "interlock", "task": "api" }`. */
export interface TaskNames {
  readonly task: string;
  /** Only where several plans of the folder have a task of this id. */
  readonly plan?: string;
}

type TaskGroupName = 'build' | 'test';

export interface OfferedTask extends TaskNames {
  readonly view: TaskView;
  readonly label: string;
  readonly group: TaskGroupName | undefined;
}

const GROUPS: Readonly<Record<string, TaskGroupName>> = {
  build: 'build',
  compile: 'build',
  test: 'test',
  tests: 'test',
};

/** What the editor can run as its own tasks: all but those that it has itself, from its tasks.json. */
export function offeredTasks(views: readonly TaskView[]): readonly OfferedTask[] {
  const own = views.filter((view) => !isOfEditor(view));
  const counts = new Map<string, number>();
  for (const view of own) counts.set(nameIn(view), (counts.get(nameIn(view)) ?? 0) + 1);
  return own.map((view) => {
    const isOnlyOne = counts.get(nameIn(view)) === 1;
    return {
      view,
      task: view.id,
      ...(!isOnlyOne && { plan: view.plan }),
      label: isOnlyOne ? view.id : `${displayName(view.plan)}: ${view.id}`,
      group: GROUPS[view.id.toLowerCase()],
    };
  });
}

/** The task of a folder that is meant; nothing where there is none, or more than one. */
export function namedTask(
  views: readonly TaskView[],
  folderUri: string,
  { task, plan }: TaskNames,
): TaskView | undefined {
  const found = views.filter(
    (view) =>
      !isOfEditor(view) &&
      view.folderUri === folderUri &&
      view.id === task &&
      (plan === undefined || view.plan === plan),
  );
  return found.length === 1 ? found[0] : undefined;
}

function nameIn({ folderUri, id }: TaskView): string {
  return `${folderUri}\n${id}`;
}
