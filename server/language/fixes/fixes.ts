import type { PathRules } from '../../domain/paths/overlap.ts';
import type { TextRange } from '../../plans/plan.ts';
import type { PlanInFolder, PlansOfFolder } from '../plan-in-folder.ts';
import { vocabularyOf } from '../vocabulary.ts';
import type { YamlTree } from '../yaml/tree.ts';
import type { Fix } from './fix.ts';
import { hazardFixes } from './hazard-fixes.ts';
import { wordFixes } from './word-fixes.ts';
import { fileOf } from '../../plans/plan-source.ts';

/** A part of a plan's file. */
interface Part {
  readonly plan: PlanInFolder;
  readonly folder: PlansOfFolder;
  readonly file: string;
  readonly tree: YamlTree;
  readonly range: TextRange;
  readonly rules: PathRules;
}

/** Whoever marks a whole plan wants no longer menu, and does not want to wait for it. */
const PROBLEM_LIMIT = 50;

/** What would mend the problems that touch a part of a plan: the first of them, if there are many. */
export function fixesFor({ plan, folder, file, tree, range, rules }: Part): readonly Fix[] {
  const words = vocabularyOf(plan, file);
  if (words === undefined) return [];
  const fixes = plan.plan.problems
    .filter((problem) => fileOf(problem.range, plan) === file && meet(problem.range, range))
    .slice(0, PROBLEM_LIMIT)
    .flatMap((problem) =>
      problem.code === 'hazard'
        ? hazardFixes({ problem, plan, folder, file, tree, words, rules })
        : wordFixes({ problem, plan, folder, tree, words }),
    );
  return withoutRepeats(fixes);
}

/** What mends several problems at once is offered once. */
function withoutRepeats(fixes: readonly Fix[]): readonly Fix[] {
  const known = new Set<string>();
  return fixes.filter(({ title, edits }) => {
    const key = JSON.stringify([title, edits]);
    const isNew = !known.has(key);
    known.add(key);
    return isNew;
  });
}

function meet(one: TextRange, other: TextRange): boolean {
  return one.start <= other.end && other.start <= one.end;
}
