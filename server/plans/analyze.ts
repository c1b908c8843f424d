import { findCycles } from '../domain/graph/cycles.ts';
import { displayText } from '../domain/display-text.ts';
import { buildGraph, nodesAt, type TaskGraph } from '../domain/graph/graph.ts';
import { findHazards } from '../domain/paths/hazard.ts';
import type { TaskId } from '../domain/ids.ts';
import type { PathRules } from '../domain/paths/overlap.ts';
import { didYouMean } from './closest.ts';
import { hazardProblems } from './hazard-problems.ts';
import type { AnalyzedPlan, Mention, ParsedPlan, PlanTask, Problem, TextRange } from './plan.ts';

const PROBLEM_LIMIT = 1000;
/** A hint compares a word with every id, so only the first few unknown ids of a plan get one. */
const HINT_LIMIT = 20;
/** A longer cycle is marked, and spelled out, at this many of its steps. */
const CYCLE_STEP_LIMIT = 20;

const NO_TASKS: Problem = {
  code: 'no-tasks',
  severity: 'warning',
  message: 'This plan has no tasks yet. Write "tasks:", below it an id, and below that its "run:".',
  range: { start: 0, end: 0 },
  related: [],
};

const MORE_HAZARDS: Problem = {
  code: 'more-problems',
  severity: 'warning',
  message:
    'Too many patterns of this plan overlap to compare them all, so some hazards are not marked. ' +
    'Tasks that write the same files wait for each other all the same.',
  range: { start: 0, end: 0 },
  related: [],
};

/**
 * Looks at the tasks of a plan together: ids that nobody has, cycles, hazards; and says which tasks
 * cannot start because of it. Whatever is wrong with one task stops that task and those that
 * depend on it, never the rest.
 */
export function analyzePlan(plan: ParsedPlan, rules: PathRules): AnalyzedPlan {
  const graph = buildGraph(plan.tasks);
  const byId = new Map(plan.tasks.map((task) => [task.id, task]));
  const { hazards, isComplete } = findHazards(plan.tasks, graph, rules);
  const problems = [
    ...plan.problems,
    ...(plan.tasks.length === 0 && plan.problems.length === 0 ? [NO_TASKS] : []),
    ...unknownTasks(plan.tasks, byId),
    ...findCycles(graph).flatMap((cycle) => cycleProblems(cycle, byId)),
    ...hazards.flatMap((hazard) => hazardProblems(hazard, byId, rules)),
    ...(isComplete ? [] : [MORE_HAZARDS]),
  ].map((problem) => ({ ...problem, message: displayText(problem.message) }));
  return {
    ...plan,
    problems: limited(problems),
    obstacles: findObstacles({ ...plan, problems }, graph),
  };
}

function unknownTasks(
  tasks: readonly PlanTask[],
  known: ReadonlyMap<string, PlanTask>,
): readonly Problem[] {
  const unknown = tasks.flatMap(mentionsOfOrder).filter(({ text }) => !known.has(text));
  return unknown.map(({ text, range }, index): Problem => {
    if (text.includes('/')) {
      const message = `This version cannot wait for a task of another plan ("${text}") yet.`;
      return { code: 'not-yet', severity: 'error', message, range, related: [] };
    }
    const hint = index < HINT_LIMIT ? didYouMean(text, known.keys()) : '';
    const message = `There is no task "${text}" in this plan.${hint}`;
    return { code: 'unknown-task', severity: 'error', message, range, related: [] };
  });
}

/** One problem at each step of the cycle, each naming the whole cycle. */
function cycleProblems(
  cycle: readonly TaskId[],
  byId: ReadonlyMap<TaskId, PlanTask>,
): readonly Problem[] {
  const [first] = cycle;
  const shown = cycle.slice(0, CYCLE_STEP_LIMIT);
  const others = cycle.length - shown.length;
  const names = [...shown, ...(others > 0 ? [`${others} more`] : []), first].join(' → ');
  const message =
    cycle.length === 1
      ? `"${first}" waits for itself, so it can never start.`
      : `These tasks wait for each other, so none can ever start: ${names}.`;
  const steps = shown.flatMap((id, index) => {
    const next = cycle[(index + 1) % cycle.length];
    const task = byId.get(id);
    const mention = task && mentionsOfOrder(task).find(({ text }) => text === next);
    return mention === undefined
      ? []
      : [{ range: mention.range, message: `"${id}" waits for "${next}".` }];
  });
  return steps.map(({ range }) => ({
    code: 'cycle',
    severity: 'error',
    message,
    range,
    related: steps.filter((step) => step.range !== range),
  }));
}

function mentionsOfOrder(task: PlanTask): readonly Mention[] {
  return [...task.dependsOnMentions, ...task.afterMentions];
}

/** Why each task cannot start until the plan is edited, the ones that wait for such a task included. */
function findObstacles(
  { tasks, problems }: ParsedPlan,
  graph: TaskGraph,
): ReadonlyMap<TaskId, string> {
  const errors = problems.filter(({ severity }) => severity === 'error');
  // Behind a slip of syntax nobody can say which line belongs to which task.
  const unreadable = errors.find(({ code }) => code === 'syntax');
  const own = new Map<TaskId, string>();
  const inside = firstInside(tasks, errors);
  const inDefaults = firstInDefaults(tasks, errors);
  for (const { id, command, asks, inherited } of tasks) {
    const taken = inherited.find((range) => inDefaults.has(range));
    const error = inside.get(id) ?? (taken && inDefaults.get(taken)) ?? unreadable;
    if (error !== undefined) own.set(id, error.message);
    else if (command === undefined && asks.doer?.kind === 'started-agent')
      own.set(id, 'This version does not start agents yet.');
  }
  // The first obstacle that reaches a task names itself; a map visits what is added on the way, too.
  const causes = new Map([...own.keys()].map((id) => [id, id]));
  for (const [id, cause] of causes)
    for (const waiting of waitingFor(id, graph))
      if (!causes.has(waiting)) causes.set(waiting, cause);
  return new Map(
    [...causes].map(([id, cause]) => [
      id,
      own.get(id) ?? `It waits for "${cause}", which cannot start.`,
    ]),
  );
}

function waitingFor(id: TaskId, { ids, numberOf, successors }: TaskGraph): readonly TaskId[] {
  const number = numberOf.get(id);
  return number === undefined ? [] : Array.from(nodesAt(successors, number), (node) => ids[node]!);
}

/** The first problem within each task, by walking along both in the order of the text. */
function firstInside(
  tasks: readonly PlanTask[],
  problems: readonly Problem[],
): ReadonlyMap<TaskId, Problem> {
  const byPlace = problems.toSorted((a, b) => a.range.start - b.range.start);
  const found = new Map<TaskId, Problem>();
  let next = 0;
  for (const { id, range } of tasks.toSorted((a, b) => a.range.start - b.range.start)) {
    while (next < byPlace.length && byPlace[next]!.range.start < range.start) next += 1;
    const problem = byPlace[next];
    if (problem !== undefined && problem.range.end <= range.end) found.set(id, problem);
  }
  return found;
}

/** The first problem within each key of "defaults" that some task takes. */
function firstInDefaults(
  tasks: readonly PlanTask[],
  problems: readonly Problem[],
): ReadonlyMap<TextRange, Problem> {
  const found = new Map<TextRange, Problem>();
  for (const taken of new Set(tasks.flatMap(({ inherited }) => inherited))) {
    const first = problems.find(
      ({ range }) => taken.start <= range.start && range.end <= taken.end,
    );
    if (first !== undefined) found.set(taken, first);
  }
  return found;
}

function limited(problems: readonly Problem[]): readonly Problem[] {
  if (problems.length <= PROBLEM_LIMIT) return problems;
  const message = `${problems.length - PROBLEM_LIMIT} more problems are not shown.`;
  const range = { start: 0, end: 0 };
  return [
    ...problems.slice(0, PROBLEM_LIMIT),
    { code: 'more-problems', severity: 'warning', message, range, related: [] },
  ];
}
