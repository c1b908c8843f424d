import { buildGraph, nodesAt } from '../domain/graph/graph.ts';
import type { TaskId } from '../domain/ids.ts';
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
  // Behind a slip of syntax nobody can say which line belongs to which task.
  const slips = errors.filter(({ code }) => code === 'syntax').toReversed();
  const unreadable = new Map(slips.map((error) => [error.range.file, error]));
  const own = new Map<TaskId, string>();
  const inside = firstInside(tasks, errors);
  const inDefaults = firstInDefaults(tasks, errors);
  for (const { id, command, asks, inherited, range, doneAs, obstacle } of tasks) {
    if (doneAs !== undefined) continue;
    const taken = inherited.find((key) => inDefaults.has(key));
    const slip = unreadable.get(range.file);
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

/** The first problem within each task, by walking along both in the order of the text. */
function firstInside(
  tasks: readonly PlanTask[],
  problems: readonly Problem[],
): ReadonlyMap<TaskId, Problem> {
  const found = new Map<TaskId, Problem>();
  const tasksIn = Map.groupBy(tasks, ({ range }) => range.file);
  for (const [file, placed] of byFile(problems)) {
    const byPlace = placed.toSorted((a, b) => a.range.start - b.range.start);
    const there = tasksIn.get(file) ?? [];
    let next = 0;
    for (const { id, range } of there.toSorted((a, b) => a.range.start - b.range.start)) {
      while (next < byPlace.length && byPlace[next]!.range.start < range.start) next += 1;
      const problem = byPlace[next];
      if (problem !== undefined && problem.range.end <= range.end) found.set(id, problem);
    }
  }
  return found;
}

function byFile(problems: readonly Problem[]): ReadonlyMap<string | undefined, Problem[]> {
  const files = new Map<string | undefined, Problem[]>();
  for (const problem of problems) {
    const known = files.get(problem.range.file);
    if (known === undefined) files.set(problem.range.file, [problem]);
    else known.push(problem);
  }
  return files;
}

/** The first problem within each key of "defaults" that some task takes. */
function firstInDefaults(
  tasks: readonly PlanTask[],
  problems: readonly Problem[],
): ReadonlyMap<TextRange, Problem> {
  const found = new Map<TextRange, Problem>();
  if (problems.length === 0) return found;
  for (const taken of new Set(tasks.flatMap(({ inherited }) => inherited))) {
    const first = problems.find(
      ({ range }) =>
        range.file === taken.file && taken.start <= range.start && range.end <= taken.end,
    );
    if (first !== undefined) found.set(taken, first);
  }
  return found;
}
