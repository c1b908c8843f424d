import type { TaskId } from '../domain/ids.ts';
import type { PlanTask } from '../plans/plan.ts';
import type { LoadedPlan } from './plan-set.ts';

/** The plans that were asked for, each with those of its tasks that were named; with none, all. */
export type Wanted = ReadonlyMap<LoadedPlan, readonly TaskId[]>;

interface Selected {
  readonly tasks: readonly PlanTask[];
  /** What was named of it, or is needed by other plans; empty where all of it was asked for. */
  readonly selection: readonly TaskId[];
}

/** The tasks that were asked for and, transitively, what they depend on, those of plans that were asked for first. */
export function selectTasks(
  all: readonly LoadedPlan[],
  wanted: Wanted,
): ReadonlyMap<LoadedPlan, Selected> {
  const byPath = new Map(all.map((plan) => [plan.path, new Selection(plan)]));
  const queue: Task[] = [];
  const add = (path: string, id: TaskId): boolean => {
    const found = byPath.get(path)?.add(id);
    if (found !== undefined) queue.push(found);
    return found !== undefined;
  };
  for (const [{ path, plan }, ids] of wanted) {
    const selection = byPath.get(path);
    if (ids.length > 0) selection?.named(ids);
    for (const id of ids.length > 0 ? ids : plan.tasks.map((task) => task.id)) add(path, id);
  }
  for (const { plan, task } of queue)
    for (const reference of task.dependsOn) {
      const other = plan.plan.references.get(reference) ?? { plan: plan.path, task: reference };
      const isOutside = other.plan !== plan.path;
      const isAll = [...wanted].some(([each, ids]) => each.path === other.plan && ids.length === 0);
      const isNews = add(other.plan, other.task);
      if (isOutside && !isAll && isNews) byPath.get(other.plan)?.named([other.task]);
    }
  const paths = new Set([...wanted.keys(), ...all].map(({ path }) => path));
  return new Map(
    [...paths].flatMap((path) => {
      const selection = byPath.get(path);
      return selection === undefined || selection.isEmpty
        ? []
        : [[selection.plan, selection.result]];
    }),
  );
}

interface Task {
  readonly plan: LoadedPlan;
  readonly task: PlanTask;
}

class Selection {
  readonly plan: LoadedPlan;
  readonly #byId: ReadonlyMap<TaskId, PlanTask>;
  readonly #chosen = new Set<TaskId>();
  readonly #named = new Set<TaskId>();

  constructor(plan: LoadedPlan) {
    this.plan = plan;
    this.#byId = new Map(plan.plan.tasks.map((task) => [task.id, task]));
  }

  get isEmpty(): boolean {
    return this.#chosen.size === 0;
  }

  get result(): Selected {
    const tasks = this.plan.plan.tasks.filter(({ id }) => this.#chosen.has(id));
    return { tasks, selection: [...this.#named] };
  }

  named(ids: readonly TaskId[]): void {
    for (const id of ids) this.#named.add(id);
  }

  /** Nothing where it is chosen already, or nobody has this id. */
  add(id: TaskId): Task | undefined {
    const task = this.#byId.get(id);
    if (task === undefined || task.doneAs !== undefined || this.#chosen.has(id)) return undefined;
    this.#chosen.add(id);
    return { plan: this.plan, task };
  }
}
