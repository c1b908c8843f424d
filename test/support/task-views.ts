import type { TaskView, TaskViewState } from '../../protocol/tasks.ts';

export const FOLDER = 'file:///projects/shop';

/**
 * Tasks from text, a task to a line: `build: running, attempt 2`. The id and the state are needed;
 * the rest of the line is the detail. `of` is what all of them have in common.
 */
export function taskViews(text: string, of: Partial<TaskView> = {}): readonly TaskView[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line, index) => {
    const [, id, state, detail] = /^\s*(\S+): (\w+)(?:, (.*))?$/.exec(line) ?? [];
    if (id === undefined || !isState(state)) throw new Error(`"${line}" is no task.`);
    const folderUri = of.folderUri ?? FOLDER;
    const plan = of.plan ?? 'interlock.yaml';
    return {
      title: '',
      character: 2,
      attempt: 0,
      dependsOn: [],
      isPaused: false,
      ...of,
      folderUri,
      plan,
      planUri: `${folderUri}/${plan}`,
      id,
      state,
      detail: detail ?? '',
      line: of.line ?? index,
    };
  });
}

const STATES: Readonly<Record<TaskViewState, true>> = {
  idle: true,
  blocked: true,
  interrupted: true,
  waiting: true,
  ready: true,
  claimed: true,
  running: true,
  attention: true,
  completed: true,
  failed: true,
  cancelled: true,
  skipped: true,
};

/** In the order of a task's life. */
export const TASK_VIEW_STATES = Object.keys(STATES).filter(isState);

function isState(text: string | undefined): text is TaskViewState {
  return text !== undefined && Object.hasOwn(STATES, text);
}
