import type { Pair } from 'yaml';
import type { HazardPolicy } from '../domain/run.ts';
import { readValue } from './read-value.ts';
import { said } from './said.ts';
import { PLAN } from './schema/plan.ts';
import type { ProblemList } from './yaml-document.ts';

/** Only what the plan says. */
export function readHazards(pair: Pair, problems: ProblemList): Partial<HazardPolicy> {
  const written = readValue(pair, PLAN.shape.hazards, problems);
  return said({
    writeWrite: written?.['write-write'],
    readWrite: written?.['read-write'],
    human: written?.human,
    worktrees: written?.worktrees,
  });
}
