import type { RunView } from '../../protocol/runs.ts';
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
      isColliding: false,
      doneBy: 'command',
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

/** A run of `interlock.yaml`, as far as it is said otherwise. */
export function runView(
  of: Omit<Partial<RunView>, 'counts'> & { readonly counts?: Partial<RunView['counts']> },
): RunView {
  const none = { waiting: 0, ready: 0, running: 0, attention: 0 };
  const ended = { completed: 0, failed: 0, cancelled: 0, skipped: 0 };
  return {
    folderUri: FOLDER,
    run: 'run-1',
    plan: 'interlock.yaml',
    requestedBy: 'editor',
    requestedAt: 0,
    status: 'active',
    ...of,
    counts: { ...none, ...ended, ...of.counts },
  };
}
