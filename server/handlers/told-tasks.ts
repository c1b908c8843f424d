import type { Connection } from 'vscode-languageserver';
import {
  type RunsChanged,
  type RunView,
  TASKS_CHANGED,
  type TasksChanged,
} from '../../protocol/runs.ts';
import type { TaskView } from '../../protocol/tasks.ts';
import type { BoardTask } from '../board/board-task.ts';
import type { BoardRun, RunChanges } from '../board/run-table.ts';
import type { TaskChanges } from '../board/task-table.ts';
import { type Places, toTaskView } from './convert.ts';

/** What a client was told of the tasks and runs of a folder: only what looks different is sent. */
export class ToldTasks {
  readonly #connection: Pick<Connection, 'sendNotification'>;
  readonly #folderUri: string;
  readonly #views = new Map<string, TaskView>();
  readonly #runs = new Map<string, RunView>();

  constructor(connection: Pick<Connection, 'sendNotification'>, folderUri: string) {
    this.#connection = connection;
    this.#folderUri = folderUri;
  }

  get views(): readonly TaskView[] {
    return [...this.#views.values()];
  }

  run(run: string): RunView | undefined {
    return this.#runs.get(run);
  }

  /** Tells tasks and runs of the same moment in one message. Answers whether a task looks different. */
  tell(tasks: TaskChanges, runs: RunChanges, places: Places): boolean {
    const [ofTasks, ofRuns] = [this.#tasksChanged(tasks, places), this.#runsChanged(runs)];
    return this.#send({ ...ofTasks, runs: ofRuns });
  }

  /** Nothing of the folder is shown any more. */
  takeBack(): void {
    const removed = this.views.map(({ folderUri, plan, id }) => ({ folderUri, plan, id }));
    const runs = [...this.#runs.values()].map(({ folderUri, run }) => ({ folderUri, run }));
    this.#views.clear();
    this.#runs.clear();
    this.#send({ changed: [], removed, runs: { changed: [], removed: runs } });
  }

  #tasksChanged(
    { changed, removed }: TaskChanges,
    places: Places,
  ): Pick<TasksChanged, 'changed' | 'removed'> {
    const views = changed.flatMap((change) => {
      const key = keyOf(change.now);
      const told = this.#views.get(key);
      const view = this.#viewOf(change, told, places);
      this.#views.set(key, view);
      return told !== undefined && isSame(view, told) ? [] : [view];
    });
    for (const task of removed) this.#views.delete(keyOf(task));
    const folderUri = this.#folderUri;
    return {
      changed: views,
      removed: removed.map(({ plan, task }) => ({ folderUri, plan: plan.path, id: task.id })),
    };
  }

  #runsChanged({ changed, removed }: RunChanges): RunsChanged {
    const views = changed.flatMap((run) => {
      const view = toRunView(run, this.#folderUri);
      const told = this.#runs.get(run.id);
      this.#runs.set(run.id, view);
      return told !== undefined && isSame(view, told) ? [] : [view];
    });
    const gone = removed.filter((run) => this.#runs.delete(run));
    const folderUri = this.#folderUri;
    return { changed: views, removed: gone.map((run) => ({ folderUri, run })) };
  }

  #send(params: TasksChanged): boolean {
    const { changed, removed, runs } = params;
    const hasTasks = changed.length > 0 || removed.length > 0;
    if (hasTasks || runs.changed.length > 0 || runs.removed.length > 0)
      void this.#connection.sendNotification(TASKS_CHANGED, params);
    return hasTasks;
  }

  /** Where it stands in its plan is looked up once: that takes as long as the plan is. */
  #viewOf(
    { before, now }: TaskChanges['changed'][number],
    told: TaskView | undefined,
    places: Places,
  ): TaskView {
    const hasMoved = before?.plan !== now.plan || before.task !== now.task;
    const spot = told === undefined || hasMoved ? undefined : told;
    return toTaskView(now, spot ?? places, this.#folderUri);
  }
}

function keyOf({ plan, task }: Pick<BoardTask, 'plan' | 'task'>): string {
  return `${plan.path}\n${task.id}`;
}

function toRunView(run: BoardRun, folderUri: string): RunView {
  const { id, plan, requestedBy, requestedAt, status, outcome, finishedAt, tally } = run;
  return {
    folderUri,
    run: id,
    plan,
    requestedBy,
    requestedAt,
    status,
    ...(outcome !== undefined && { outcome }),
    ...(finishedAt !== undefined && { finishedAt }),
    counts: {
      waiting: tally.waiting + tally.interrupted + tally.blocked + tally.idle,
      ready: tally.ready,
      running: tally.claimed + tally.running,
      attention: tally.attention,
      completed: tally.completed,
      failed: tally.failed,
      cancelled: tally.cancelled,
      skipped: tally.skipped,
    },
  };
}

/** They are plain values, built in the same order. */
function isSame(some: object, other: object): boolean {
  return JSON.stringify(some) === JSON.stringify(other);
}
