import type { PathRules } from '../domain/paths/overlap.ts';
import { FolderAnalysis, MORE_HAZARDS } from './folder-analysis.ts';
import type { AnalyzedPlan, ParsedPlan } from './plan.ts';
import type { PlanSource } from './plan-source.ts';

const ALONE: PlanSource = { path: 'interlock.yaml', kind: 'interlock', files: ['interlock.yaml'] };

function elsewhere(): string {
  return 'This plan lies in no folder that is open, so it can name no task of another plan.';
}

/** A plan that lies in no folder: there are no others that it could name. */
export function analyzePlan(
  parsed: ParsedPlan,
  rules: PathRules,
  source: PlanSource = ALONE,
): AnalyzedPlan {
  const folder = new FolderAnalysis({ rules, name: '', elsewhere });
  return folder.update([{ source, parsed }]).get(source.path)!;
}

/** The same for whoever waits for it: hazards that are not found at once are not marked, and it says so. */
export function analyzeBriefly(
  parsed: ParsedPlan,
  rules: PathRules,
  source: PlanSource,
): AnalyzedPlan {
  const folder = new FolderAnalysis({ rules, name: '', elsewhere });
  const { value, done } = folder.updating([{ source, parsed }]).next();
  const plan = value.get(source.path)!;
  return done === true ? plan : { ...plan, problems: [...plan.problems, MORE_HAZARDS] };
}
