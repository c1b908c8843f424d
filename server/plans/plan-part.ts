import type { TaskId } from '../domain/ids.ts';
import type { TaskPaths } from '../domain/paths/hazard.ts';
import { pathsOf } from './folder-hazards.ts';
import type { AnalyzedPlan, ParsedPlan, Problem, TaskOfPlan } from './plan.ts';
import { entriesOf, type PlanLinks } from './plan-links.ts';
import { namedPlan, type NamedPlan } from './plan-names.ts';
import type { PlanSource } from './plan-source.ts';
import type { PlanInFolder } from './plan-view.ts';

/** A plan as its texts say it. */
export interface ReadPlan {
  readonly source: PlanSource;
  readonly parsed: ParsedPlan;
}

/** What is known of one plan of a folder; what can be written is worked out step by step. */
export interface Part extends PlanInFolder {
  readonly number: number;
  readonly parsed: ParsedPlan;
  /** Those of before where all tasks read and write what they did. */
  readonly paths: readonly TaskPaths[];
  links: PlanLinks;
  /** More than are shown. */
  problems: readonly Problem[];
  /** How many more there are that were not even spelled out. */
  unspelled: number;
  /** Those of its own; not what it takes over from others. */
  obstacles: ReadonlyMap<TaskId, string>;
  result: AnalyzedPlan | undefined;
  /** What the result was worked out from. */
  resultOf: ParsedPlan | undefined;
}

const NO_LINKS: PlanLinks = {
  nodes: [],
  open: new Set(),
  references: new Map(),
  mentioned: new Set(),
  namesPlans: false,
  problems: [],
};

/** The part of before where the plan is the same. */
export function takePart(
  { source, parsed }: ReadPlan,
  { number, folder, before }: { number: number; folder: string; before: Part | undefined },
): Part {
  if (before !== undefined && before.parsed === parsed) return before;
  const named = namedPlan(source, { written: parsed.name, folder });
  const entries = entriesOf(parsed, { number, before: before?.entries });
  return {
    number,
    source,
    parsed,
    tasks: parsed.tasks,
    named: before !== undefined && isSameName(before.named, named) ? before.named : named,
    entries,
    paths: pathsOf(parsed.tasks, { entries, before: before?.paths }),
    links: before?.links ?? NO_LINKS,
    problems: [],
    unspelled: 0,
    obstacles: new Map(),
    result: before?.result,
    resultOf: before?.resultOf,
  };
}

function isSameName(a: NamedPlan, b: NamedPlan): boolean {
  return a.knownAs === b.knownAs && a.shortPath === b.shortPath;
}

/** Whether there are the same tasks for others to wait for as before. */
export function offersTheSame(before: Part, now: Part | undefined): boolean {
  if (before === now) return true;
  return (
    before.entries === now?.entries &&
    now.tasks.every(({ doneAs }, index) => {
      const wasDone = before.tasks[index]?.doneAs !== undefined;
      return wasDone === (doneAs !== undefined);
    })
  );
}

/** Whether nobody who is told of the plan would hear anything new. */
export function isSameResult({ parsed, result, resultOf }: Part, next: AnalyzedPlan): boolean {
  return (
    result !== undefined &&
    resultOf === parsed &&
    result.knownAs === next.knownAs &&
    areSameReferences(result.references, next.references) &&
    areSameTexts(result.obstacles, next.obstacles) &&
    JSON.stringify(result.problems) === JSON.stringify(next.problems)
  );
}

function areSameTexts(
  some: ReadonlyMap<string, string>,
  others: ReadonlyMap<string, string>,
): boolean {
  if (some.size !== others.size) return false;
  for (const [key, text] of some) if (others.get(key) !== text) return false;
  return true;
}

function areSameReferences(
  some: ReadonlyMap<string, TaskOfPlan>,
  others: ReadonlyMap<string, TaskOfPlan>,
): boolean {
  if (some.size !== others.size) return false;
  for (const [text, { plan, task }] of some) {
    const other = others.get(text);
    if (other?.plan !== plan || other.task !== task) return false;
  }
  return true;
}
