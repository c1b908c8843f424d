import { buildGraph, nodesAt } from '../domain/graph/graph.ts';
import type { TaskId } from '../domain/ids.ts';
import { lowerBound } from './lower-bound.ts';
import type { AnalyzedPlan, PlanTask, Problem, TextRange } from './plan.ts';
import type { TaskCluster } from './task-clusters.ts';

/** Why tasks of one plan cannot start, whatever others do. */
export function ownObstacles(
  tasks: readonly PlanTask[],
  problems: readonly Problem[],
): ReadonlyMap<TaskId, string> {
  const errors = problems.filter(
    ({ severity, code }) => severity === 'error' || code === 'editor-only',
  );
  // Behind a slip of syntax nobody can say which line belongs to which task, but where a task ends.
  const slips = errors.filter(({ code, within }) => code === 'syntax' && within === undefined);
  const unreadable = new Map(slips.toReversed().map((error) => [error.range.file, error]));
  const own = new Map<TaskId, string>();
  const inside = firstInside(tasks, errors);
  const inDefaults = firstInDefaults(tasks, errors);
  for (const task of tasks) {
    const { id, command, asks, doneAs, obstacle } = task;
    if (doneAs !== undefined) continue;
    // Places of tasks are worked out when somebody asks for them, so that is done only where it matters.
    const taken =
      inDefaults.size > 0 ? task.inherited.find((key) => inDefaults.has(key)) : undefined;
    const slip = unreadable.size > 0 ? unreadable.get(task.range.file) : undefined;
    const error = inside.get(id) ?? (taken && inDefaults.get(taken)) ?? slip;
    if (error !== undefined) own.set(id, error.message);
    else if (obstacle !== undefined) own.set(id, obstacle);
    else if (command === undefined && asks.doer?.kind === 'started-agent')
      own.set(id, 'This version does not start agents yet.');
  }
  return own;
}

/** Of each task that cannot start, the one that is to blame; itself where that has an obstacle of its own. */
export function causesIn(
  { graph }: Pick<TaskCluster, 'graph'>,
  obstructed: Iterable<TaskId>,
): ReadonlyMap<TaskId, TaskId> {
  const { ids, numberOf, successors } = graph;
  // The first obstacle that reaches a task names itself; a map visits what is added on the way, too.
  const causes = new Map(Array.from(obstructed, (key) => [key, key]));
  for (const [key, cause] of causes) {
    const number = numberOf.get(key);
    if (number === undefined) continue;
    for (const node of nodesAt(successors, number)) {
      const waiting = ids[node]!;
      if (!causes.has(waiting)) causes.set(waiting, cause);
    }
  }
  return causes;
}

/** Also what cannot start because of something that the plan does not say, and what waits for it. */
export function withObstacles(
  plan: AnalyzedPlan,
  found: ReadonlyMap<TaskId, string>,
): AnalyzedPlan {
  const graph = buildGraph(plan.tasks);
  const all = new Map(plan.obstacles);
  for (const [id, cause] of causesIn({ graph }, found.keys()))
    if (!all.has(id)) all.set(id, found.get(id) ?? `It waits for "${cause}", which cannot start.`);
  return { ...plan, obstacles: all };
}

/** The first problem within each task, or around it. Tasks of one file are in the order of its text. */
function firstInside(
  tasks: readonly PlanTask[],
  problems: readonly Problem[],
): ReadonlyMap<TaskId, Problem> {
  const found = new Map<TaskId, Problem>();
  const byFile = Map.groupBy(problems, ({ range }) => range.file);
  const isOneFile = [...byFile.keys()].every((file) => file === undefined);
  const tasksIn = isOneFile ? undefined : Map.groupBy(tasks, ({ range }) => range.file);
  for (const [file, placed] of byFile) {
    const there = tasksIn === undefined ? tasks : (tasksIn.get(file) ?? []);
    for (const problem of placed.toSorted((a, b) => a.range.start - b.range.start)) {
      const task = taskOf(problem, there);
      if (task !== undefined && task.range.file === file && !found.has(task.id))
        found.set(task.id, problem);
    }
  }
  return found;
}

/** The task that a problem is within, or whose lines it spoils. */
function taskOf({ range, within }: Problem, tasks: readonly PlanTask[]): PlanTask | undefined {
  const last = within?.end ?? range.start;
  const task = tasks[lowerBound(tasks, (one) => one.range.start > last) - 1];
  if (task === undefined) return undefined;
  const isItsOwn = within ? task.range.start >= within.start : range.end <= task.range.end;
  return isItsOwn ? task : undefined;
}

/** The first problem within each key of "defaults" that some task takes. */
function firstInDefaults(
  tasks: readonly PlanTask[],
  problems: readonly Problem[],
): ReadonlyMap<TextRange, Problem> {
  const found = new Map<TextRange, Problem>();
  if (problems.length === 0) return found;
  const all = new Set<TextRange>();
  for (const { inherited } of tasks) for (const taken of inherited) all.add(taken);
  for (const taken of all) {
    const first = problems.find(
      ({ range }) =>
        range.file === taken.file && taken.start <= range.start && range.end <= taken.end,
    );
    if (first !== undefined) found.set(taken, first);
  }
  return found;
}
