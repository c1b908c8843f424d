import type { Connection } from 'vscode-languageserver';
import { RUNS_CHANGED, type RunsChanged, type RunView } from '../../protocol/runs.ts';
import { TASKS_CHANGED, type TasksChanged, type TaskView } from '../../protocol/tasks.ts';
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

  /** Answers whether anything looks different. */
  tellTasks({ changed, removed }: TaskChanges, places: Places): boolean {
    const views = changed.flatMap((change) => {
      const key = keyOf(change.now);
      const told = this.#views.get(key);
      const view = this.#viewOf(change, told, places);
      this.#views.set(key, view);
      return told !== undefined && isSame(view, told) ? [] : [view];
    });
    for (const task of removed) this.#views.delete(keyOf(task));
    if (views.length === 0 && removed.length === 0) return false;
    const folderUri = this.#folderUri;
    const params: TasksChanged = {
      changed: views,
      removed: removed.map(({ plan, task }) => ({ folderUri, plan: plan.path, id: task.id })),
    };
    void this.#connection.sendNotification(TASKS_CHANGED, params);
    return true;
  }

  tellRuns({ changed, removed }: RunChanges): void {
    const views = changed.flatMap((run) => {
      const view = toRunView(run, this.#folderUri);
      const told = this.#runs.get(run.id);
      this.#runs.set(run.id, view);
      return told !== undefined && isSame(view, told) ? [] : [view];
    });
    const gone = removed.filter((run) => this.#runs.delete(run));
    if (views.length === 0 && gone.length === 0) return;
    const folderUri = this.#folderUri;
    const params: RunsChanged = {
      changed: views,
      removed: gone.map((run) => ({ folderUri, run })),
    };
    void this.#connection.sendNotification(RUNS_CHANGED, params);
  }

  /** Nothing of the folder is shown any more. */
  takeBack(): void {
    const views = this.views.map(({ folderUri, plan, id }) => ({ folderUri, plan, id }));
    const runs = [...this.#runs.values()].map(({ folderUri, run }) => ({ folderUri, run }));
    this.#views.clear();
    this.#runs.clear();
    if (views.length > 0) {
      const params: TasksChanged = { changed: [], removed: views };
      void this.#connection.sendNotification(TASKS_CHANGED, params);
    }
    if (runs.length === 0) return;
    const params: RunsChanged = { changed: [], removed: runs };
    void this.#connection.sendNotification(RUNS_CHANGED, params);
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
