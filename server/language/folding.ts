import type { AnalyzedPlan, TextRange } from '../plans/plan.ts';

/** Each task, from its id to its last line. */
export function foldsOf({ tasks }: AnalyzedPlan): readonly TextRange[] {
  return tasks.map(({ range }) => range);
}
