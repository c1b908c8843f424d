import type { ParsedPlan } from './plan.ts';
import { PlanReader } from './plan-reader.ts';

/** Text to a plan. Never throws: what cannot be read is a problem, and the rest is read all the same. */
export function parseInterlockYaml(text: string): ParsedPlan {
  return new PlanReader().read(text);
}
