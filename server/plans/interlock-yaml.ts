import type { ParsedPlan } from './plan.ts';
import { PlanReader } from './plan-reader.ts';

const PLAN_NAME = /^(?:interlock|.+\.interlock)\.ya?ml$/;

/** Whether a file of this name is a plan of the kind that this module reads. */
export function isPlanFileName(fileName: string): boolean {
  return PLAN_NAME.test(fileName);
}

/** Text to a plan. Never throws: what cannot be read is a problem, and the rest is read all the same. */
export function parseInterlockYaml(text: string): ParsedPlan {
  return new PlanReader().read(text);
}
